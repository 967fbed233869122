// Trusted Types for one address: a policy of its own makes it and takes no text, so that nothing
// else can be started through it.

/** Makes an address; browsers without Trusted Types take the plain text. */
interface AddressPolicy {
  createScriptURL(address: string): string;
}

interface TypesFactory {
  createPolicy(name: string, rules: AddressPolicy): AddressPolicy;
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TypesFactory };

/** Returns what makes the address. A page's policy names each `name`, once. */
export function onlyAddress(name: string, make: () => string): () => string {
  const rules: AddressPolicy = { createScriptURL: make };
  const policy = trustedTypes?.createPolicy(name, rules) ?? rules;
  return () => policy.createScriptURL("");
}

export function serve(options?: {
  readonly folder?: string;
  readonly base?: string;
  readonly port?: number;
  readonly firstPort?: number;
}): Promise<{ readonly address: string; stop(): Promise<void> }>;

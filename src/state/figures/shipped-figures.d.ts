/** Made by `scripts/site/shipped-figures.ts` from what `npm run bless` recorded. */
declare module "virtual:shipped-figures" {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- an ambient module may not import by a relative path
  export const FIGURES: import("../shape/known-run.ts").ShippedFigures;
}

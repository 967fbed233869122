/** Made by `scripts/shipped-figures.ts` from what `npm run bless` recorded. */
declare module "virtual:shipped-figures" {
  export const FIGURES: import("./shipped.ts").ShippedFigures;
}

/** Made by `scripts/site/pictures.ts` of what `npm run build` has drawn. */
declare module "virtual:pictures" {
  /** What the tile of a scenario says, by slug; those that are not here have no tile. */
  export const TILES: Readonly<Record<string, string>>;
}

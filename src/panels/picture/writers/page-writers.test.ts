import { expect, test } from "vitest";
import { FILM_FORMATS, FORMATS, PICTURE_FORMATS } from "../../../engine/gen/formats.ts";
import { FILM_WRITERS, PICTURE_WRITERS } from "./page-writers.ts";

test.for([
  ["pictures", PICTURE_WRITERS, PICTURE_FORMATS],
  ["films", FILM_WRITERS, FILM_FORMATS],
] as const)(
  "the registry's formats of %s are those that have a writer, and each has a row",
  ([, writers, formats]) => {
    expect(Object.keys(writers).toSorted()).toEqual([...formats].toSorted());
    expect(Object.keys(FORMATS)).toEqual(expect.arrayContaining(Object.keys(writers)));
  },
);

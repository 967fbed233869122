// Which frame an address asks for, and the same place in the lab.

import { expect, test } from "vitest";
import { nearest } from "../lib/nearest.ts";
import type { AddressHost } from "../effects/address/address-bar.ts";
import { frameOf, inFrame, labPath, lessonOf } from "./frames.ts";
import { framedHost } from "../effects/address/framed-host.ts";

test("an embed's and a talk's address name the lab's place, in any folder of the host", () => {
  for (const root of ["/", "/deep/sub/"]) {
    expect(frameOf(`${root}embed/quota-tree/`, root)).toBe("embed");
    expect(frameOf(`${root}present/lab/`, root)).toBe("present");
    for (const path of ["", "s/quota-tree/", "lab/", "embed/", "embedded/x/"])
      expect(frameOf(root + path, root), path).toBe("lab");
    expect(labPath(`${root}embed/quota-tree/`, root)).toBe(`${root}s/quota-tree/`);
    expect(labPath(`${root}present/lab/`, root)).toBe(`${root}lab/`);
    expect(labPath(`${root}s/quota-tree/`, root)).toBe(`${root}s/quota-tree/`);
    expect(inFrame(`${root}s/quota-tree/#v=1`, root, "present")).toBe(
      `${root}present/quota-tree/#v=1`,
    );
    expect(inFrame(`${root}lab/#v=1`, root, "embed")).toBe(`${root}embed/lab/#v=1`);
    expect(inFrame(root, root, "embed")).toBe(root);
    const typed = `${root}embed/s/hackbnch/`;
    expect(
      [frameOf(typed, root), labPath(typed, root)],
      "no place of the frame: refused as it was typed",
    ).toEqual(["embed", typed]);
  }
});

test("a name in the wrong case stays in its frame, which names the nearest lesson or scenario", () => {
  for (const typed of ["Herd", "hurd", "HERD", "her_d"]) {
    expect(
      [
        frameOf(`/learn/${typed}/`, "/"),
        nearest(lessonOf(`/learn/${typed}/`, "/") ?? "", ["lazy", "herd"]),
      ],
      typed,
    ).toEqual(["learn", "herd"]);
  }
  expect(
    [frameOf("/embed/Quota-Tree/", "/"), labPath("/embed/Quota-Tree/", "/")],
    "refused as it was typed",
  ).toEqual(["embed", "/embed/Quota-Tree/"]);
});

test("a talk keeps its address, an embed leaves its host's alone", () => {
  const written: string[] = [];
  const note = (_data: unknown, _unused: string, url: string): void => void written.push(url);
  const host: AddressHost = {
    location: { pathname: "/present/quota-tree/", hash: "#x" },
    history: { pushState: note, replaceState: note },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  const talk = framedHost(host, "/", "present");
  expect(talk.location).toEqual({ pathname: "/s/quota-tree/", hash: "#x" });
  talk.history.pushState(undefined, "", "/s/quota-tree/#y");
  framedHost(host, "/", "embed").history.replaceState(undefined, "", "/s/quota-tree/#z");
  expect(written).toEqual(["/present/quota-tree/#y"]);
});

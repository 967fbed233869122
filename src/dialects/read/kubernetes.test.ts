// Limits that Kubernetes states: the lines that set them, and what a Pod's own limit means.

import { beforeAll, describe, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { cpuMaxOf, understood, wrongOf } from "../../testing/pasted.ts";

beforeAll(loadEngine);

describe("the lines for kubectl", () => {
  const lines = (text: string): readonly string[] =>
    understood(text).commands.map(({ line }) => line);
  const unknownOf = (text: string): string => understood(text).unknown.join(" ");
  const two =
    "- name: web\n        resources: {limits: {cpu: 500m}}\n      - name: proxy\n        resources: {limits: {cpu: 2}}";
  const template = (kind: string, head = ""): string =>
    `kind: ${kind}\nmetadata: {name: shop${head}}\nspec:\n  template:\n    spec:\n      containers:\n      ${two}`;

  test.each(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"])(
    "name the %s and the one container whose limit it is",
    (kind) => {
      expect(lines(template(kind))[0]).toBe(
        `kubectl set resources ${kind.toLowerCase()}/shop -c web --limits=cpu=500m`,
      );
      expect(lines(template(kind, ", namespace: eu"))[0]).toContain("kubectl -n eu set resources");
    },
  );

  test("change a Pod by its resize, and set the limit that was understood", () => {
    const pod = `kind: Pod\nmetadata: {name: shop}\nspec:\n      containers:\n      ${two}`;
    const [line = ""] = lines(pod);
    expect(line).toContain("kubectl patch pod shop --subresource resize --patch '{");
    expect(unknownOf(pod)).toContain("from Kubernetes 1.33 on");
    for (const text of [pod, template("StatefulSet"), "limits:\n  cpu: 500m"])
      for (const each of lines(text)) expect(cpuMaxOf(each), each).toBe("50000 100000");
  });

  test("of a block without its object have the user's names for kind, name and container", () => {
    expect(lines("limits:\n  cpu: 500m")[0]).toBe(
      "kubectl set resources KIND/NAME -c CONTAINER --limits=cpu=500m",
    );
    expect(lines("- name: web\n  resources: {limits: {cpu: 500m}}")[0]).toContain(
      "KIND/NAME -c web",
    );
    expect(
      lines(
        'kind: Deployment\nmetadata: {name: "x; reboot"}\nspec: {containers: [{name: "$(id)", resources: {limits: {cpu: 1}}}]}',
      )[0],
    ).toBe("kubectl set resources deployment/NAME -c CONTAINER --limits=cpu=1000m");
  });

  test("are not there for what kubectl set resources does not change, and the page says so", () => {
    expect(lines(template("Job"))).toHaveLength(1);
    expect(unknownOf(template("Job"))).toContain("does not change an object of kind “Job”");
    const range =
      "kind: LimitRange\nmetadata: {name: a}\nspec:\n  limits:\n  - default: {cpu: 500m}\n    type: Container";
    expect(lines(range)).toEqual(['echo "50000 100000" | sudo tee /sys/fs/cgroup/GROUP/cpu.max']);
  });

  test("keep the target of a pasted kubectl; without -c each container has the limit, which the page says", () => {
    const text = "kubectl -n eu set resources sts db --limits=cpu=500m";
    expect(lines(text)[0]).toBe("kubectl -n eu set resources statefulset/db --limits=cpu=500m");
    expect(understood(text).what).toContain("Each container may use 50 ms");
    expect(unknownOf(text)).toContain("Without -c");
    expect(lines("kubectl set resources deploy/web -c=nginx --limits=cpu=500m")[0]).toContain(
      "deployment/web -c nginx ",
    );
  });

  test("of a pasted kubectl run are of the Pod that it makes, of a command that names no object of any", () => {
    for (const text of [
      "kubectl run web --image=nginx --limits=cpu=500m",
      "kubectl -n eu run --image nginx web --limits cpu=500m",
    ]) {
      expect(lines(text)[0]).toMatch(
        /^kubectl( -n eu)? patch pod web --subresource resize --patch .*"name":"web"/,
      );
      expect(unknownOf(text)).not.toContain("Without -c");
    }
    expect(lines("kubectl autoscale --limits=cpu=500m")[0]).toContain("set resources KIND/NAME ");
  });
});

describe("a limit of the Pod's own", () => {
  const pod = (limit: string, containers: string): string =>
    `kind: Pod\nmetadata: {name: a}\nspec:\n  resources: {limits: {cpu: ${limit}}}\n  containers:\n  ${containers}`;

  test("is of all containers together where no container states one, and no line of kubectl sets it", () => {
    const { what, unknown, commands } = understood(pod('"2"', "- name: web"));
    expect(what).toContain("All containers of the Pod together may use 200 ms");
    expect(unknown.join(" ")).toContain("The limit is the Pod's own: its containers share it.");
    expect(commands).toHaveLength(1);
  });

  test("beside a container's own is left out by name; a container's above it is refused", () => {
    const both = pod('"2"', "- name: web\n    resources: {limits: {cpu: 500m}}");
    expect(understood(both).what).toContain("The container may use 50 ms");
    expect(understood(both).unknown.join(" ")).toContain(
      "The Pod has a limit of its own, 2 CPUs for all its containers together: it is left out.",
    );
    expect(wrongOf(pod("200m", "- name: web\n    resources: {limits: {cpu: 500m}}"))).toContain(
      "refuses a container's limit above its Pod's",
    );
  });
});

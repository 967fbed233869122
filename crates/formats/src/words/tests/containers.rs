//! Texts about limits of containers and units, as a stranger holds them.

use crate::words::{Fate, Reading, read};

pub(super) fn reading(text: &str) -> Reading {
    read(text).unwrap()
}

/// Quota and period of the group that the scenario is about.
pub(super) fn limit(text: &str) -> Option<(u64, u64)> {
    reading(text).chosen.map(|chosen| (chosen.limit.quota_us, chosen.limit.period_us))
}

/// All sentences of a reading.
pub(super) fn words(text: &str) -> String {
    let Reading { says, doubts, asks, assumed, .. } = reading(text);
    [says, doubts, asks, assumed].concat().join("\n")
}

fn pod(limit: &str) -> String {
    format!("resources:\n  limits:\n    cpu: {limit}\n")
}

const MANIFEST: &str = "kind: Deployment
metadata:
  name: shop
spec:
  template:
    spec:
      initContainers:
      - name: migrate
        resources: {limits: {cpu: \"4\"}}
      - name: proxy
        restartPolicy: Always
        resources: {limits: {cpu: 2000m}}
      containers:
      - name: app
        resources: {limits: {cpu: 750m}, requests: {cpu: 250m}}
      - name: sidecar
        resources: {limits: {cpu: 200m}}
";

#[test]
fn a_limit_is_the_same_in_every_language() {
    for text in [
        "resources:\r\n  limits:\r\n    cpu: 1500m\r\n  requests:\r\n    cpu: 250m\r\n",
        "\tresources:\n\t  limits:\n\t    cpu: \"1.5\"\n",
        "\u{a0}\u{a0}resources:\n\u{a0}\u{a0}\u{a0}\u{a0}limits: {cpu: “1.5”}\n",
        "limits:\n          cpu: 1.5\n        requests:\n          cpu: 100m",
        "- name: web\n          resources:\n            limits:\n              cpu: 1500m",
        "> spec:\n>   containers:\n>   - name: web\n>     resources: {limits: {cpu: 1.5}}",
        "{\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"name\":\"a\",\"resources\":{\"limits\":\
         {\"cpu\":\"1500m\"}}}]},\"status\":{\"containerStatuses\":[{\"name\":\"a\",\"resources\":\
         {\"limits\":{\"cpu\":\"1\"}}}]}}",
        "resources {\n  limits = {\n    cpu = \"1500m\"\n  }\n  requests = {}\n}",
        "    Limits:\n      cpu:     1500m\n      memory:  8Mi\n    Requests:\n      cpu:   250m",
        "cpu: 1500m",
        "cpu: \"1.5\"",
        "limits.cpu: 1500m",
        "resources.limits.cpu=1500m\nresources.requests.cpu=1",
        "kubectl set resources deployment/web --limits=cpu=1500m",
        "$ kubectl -n shop set resources deployment web -c=nginx --limits memory=5Gi,cpu=1.5",
        "kubectl run web --image=nginx --limits=cpu=1500m",
        "kubectl patch pod web --patch '{\"spec\":{\"containers\":[{\"name\":\"web\",\"resources\":\
         {\"limits\":{\"cpu\":\"1500m\"}}}]}}'",
        "helm upgrade web ./chart --set web.resources.limits.cpu=1500m",
        "kubectl exec web -- cat /sys/fs/cgroup/cpu.max\n150000 100000",
        "docker exec -it web cat /sys/fs/cgroup/cpu.max\n150000 100000",
        "docker run -it --cpus=1.5 nginx",
        "docker run \\\n  --cpu-quota 150000 --cpu-period=100000 nginx",
        "docker run --name a --cpus=1.5 nginx --cpus=8",
        "docker run -dit --rm --privileged --cpus 1.5 ubuntu sh -c 'stress --cpus 4'",
        "docker --context prod container run -m512m -p 80:80 --cpus=1.5 nginx",
        "sudo docker update web --cpus 1.5",
        "[{\"Name\":\"/web\",\"HostConfig\":{\"NanoCpus\":1500000000,\"CpuQuota\":0}}]",
        "\"HostConfig\": {\n  \"NanoCpus\": 0,\n  \"CpuPeriod\": 0,\n  \"CpuQuota\": 150000,\n",
        "{\"linux\":{\"resources\":{\"cpu\":{\"shares\":512,\"quota\":150000,\"period\":100000}}}}",
        "{\"status\":{\"metadata\":{\"name\":\"web\"},\"resources\":{\"linux\":{\"cpuPeriod\":\
         \"100000\",\"cpuQuota\":\"150000\"}}}}",
        "services:\n  web:\n    image: nginx\n    cpus: 1.5",
        "version: '2'\nservices:\n  db:\n    cpu_quota: -1\n  web:\n    cpu_quota: 150ms\n",
        "x-small: &small\n  cpus: '1.5'\nservices:\n  a:\n    <<: *small\n    image: x",
        "services:\n  web:\n    deploy:\n      resources:\n        limits:\n          cpus: '1.50'",
        "services:\n  web:\n    cpus: ${CPUS:-1.5}",
        "[Service]\nCPUQuota=\nCPUQuota=150%",
        "CPUQuotaPerSecUSec=1s 500ms\nCPUQuotaPeriodUSec=100ms\nCPUWeight=[not set]",
        "systemd-run -pCPUQuota=150% --property=CPUQuotaPeriodSec=100ms make",
        "systemctl set-property --runtime web.service CPUQuota=150% CPUWeight=50",
        "{\"family\":\"a\",\"cpu\":\"1.5 vCPU\",\"containerDefinitions\":[{\"name\":\"a\"}]}",
        "lxc config set c1 limits.cpu.allowance=150ms/100ms",
        "config:\n  limits.cpu.allowance: 150ms/100ms\nname: c1\nprofiles:\n- default",
        "arch: amd64\ncores: 2\ncpulimit: 1.5\nhostname: a\nrootfs: local:a,size=8G",
        "pct set 101 --cpulimit 1.5",
        "kube_pod_container_resource_limits{container=\"a\",resource=\"cpu\"} 1.5",
    ] {
        assert_eq!(limit(text), Some((150_000, 100_000)), "{text}\n{:?}", reading(text));
    }
}

#[test]
fn quantities_are_counted_as_kubernetes_counts_them() {
    for (text, quota) in [
        ("2", 200_000),
        ("2.5", 250_000),
        ("0.29", 29_000),
        (".5", 50_000),
        ("100000u", 10_000),
        ("5e-1", 50_000),
        ("1m", 1_000),
        ("0.0009", 1_000),
    ] {
        assert_eq!(limit(&pod(text)), Some((quota, 100_000)), "{text}");
    }
    assert!(words(&pod("1m")).contains("raises that of the container to 1 ms"));
}

#[test]
fn what_no_tool_takes_is_refused_with_what_was_expected() {
    for (text, said) in [
        (pod("many"), "expected CPUs such as 2, 0.5 or 500m"),
        (pod("99999999999999m"), "expected CPUs such as"),
        (pod("999999999k"), "expected CPUs such as"),
        (pod("5000"), "at most 1024 CPUs"),
        (format!("{}  requests:\n    cpu: 3\n", pod("2")), "refuses a request above the limit"),
        ("docker run --cpus=1 --cpu-quota=5000 x".into(), "not both"),
        ("docker run --cpus=99999999999999 x".into(), "a number of CPUs such as 1.5"),
        ("docker run --cpus=0.005 x".into(), "1 ms or more"),
        ("docker run --cpus=0,5 x".into(), "a number of CPUs such as 1.5"),
        ("services:\n  web:\n    cpus: many".into(), "a number of CPUs such as 1.5"),
        (
            "cpus: 0.5\ndeploy:\n  resources:\n    limits:\n      cpus: '2'".into(),
            "Compose refuses two limits",
        ),
        ("CPUQuota=half".into(), "percent of one CPU such as 150%"),
        ("CPUQuota=12.345%".into(), "two decimals at most"),
        ("CPUQuota=20%\nCPUQuotaPeriodSec=soon".into(), "a time such as 10ms"),
        ("CPUQuota=20%\nCPUWeight=20000".into(), "from 1 to 10000"),
        ("limits.cpu.allowance: 50ms".into(), "a time in a time"),
        ("cpulimit: lots\ncores: 2".into(), "a number of CPUs such as 0.5"),
        ("{\"cpu\":\"big\",\"containerDefinitions\":[]}".into(), "units such as 512"),
    ] {
        assert_eq!(limit(&text), None, "{text}");
        assert!(reading(&text).doubts.concat().contains(said), "{text}: {}", words(&text));
    }
}

#[test]
fn a_value_that_is_not_in_the_text_is_asked_for() {
    for (text, said) in [
        (pod("{{ .Values.cpu }}"), "a template's"),
        ("services:\n  web:\n    cpus: ${CPUS}".into(), "a variable"),
        ("resources {\n  cpu = 1000\n}".into(), "cpu_hard_limit"),
        ("cpu = 1000".into(), "MHz of Nomad"),
        ("kind: Pod\nspec:\n  containers:\n  - name: a\n".into(), "Add limits.cpu"),
        ("resources:\n  limits:\n    memory: 1Gi".into(), "Add limits.cpu"),
        (
            "{\"requiresCompatibilities\":[\"FARGATE\"],\"containerDefinitions\":[]}".into(),
            "Fargate",
        ),
    ] {
        assert!(reading(&text).asks.concat().contains(said), "{text}: {}", words(&text));
        assert_eq!(limit(&text), None, "{text}");
    }
}

#[test]
fn a_template_around_a_block_is_no_part_of_it() {
    let text = "{{- if .Values.limits }}\nresources:\n  {{- if .x }}\n  limits:\n    cpu: 500m\n  \
        {{- end }}\n{{- end }}";
    assert_eq!(limit(text), Some((50_000, 100_000)));
}

#[test]
fn containers_come_before_init_containers_and_all_are_named() {
    assert_eq!(limit(MANIFEST), Some((75_000, 100_000)));
    let said = words(MANIFEST);
    assert!(said.contains("left out: the container “sidecar”, init container “migrate”"), "{said}");
    assert!(said.contains("The request of the container “app” sets cpu.weight 10"), "{said}");
    let init = "spec:\n  initContainers:\n  - name: setup\n    resources: {limits: {cpu: 100m}}";
    assert!(words(init).contains("“setup” ends before the other containers start"));
    assert_eq!(limit(init), Some((10_000, 100_000)));
}

#[test]
fn two_manifests_are_two_with_or_without_a_line_between_them() {
    for between in ["---\n", ""] {
        let second = "kind: Deployment\nmetadata: {name: api}\nspec:\n  containers:\n  \
            - name: app\n    resources: {limits: {cpu: 1}}\n";
        let said = words(&format!("{MANIFEST}{between}{second}"));
        assert!(said.contains("“Deployment/api/app”"), "{said}");
    }
}

#[test]
fn components_are_called_by_their_keys_in_the_texts_order() {
    let text = "worker:\n  resources:\n    limits:\n      cpu: 2\nredis:\n  master:\n    \
        resources:\n      limits:\n        cpu: 300m   # was 200m\n";
    assert_eq!(limit(text), Some((200_000, 100_000)));
    assert!(words(text).contains(
        "Only the container “worker” is simulated; left out: the \
        container “redis.master”"
    ));
    let services = "services:\n  web:\n    cpus: 0.5\n  db:\n    cpus: 2\n";
    assert!(words(services).contains("Only the service “web”"), "{}", words(services));
}

#[test]
fn kubectl_describe_is_read_though_it_is_no_yaml() {
    let text = "Name:             web-7d9f8c-abcde
Annotations:      kubernetes.io/limit-ranger: LimitRanger plugin set: cpu
IPs:
  IP:           10.244.0.5
Init Containers:
  setup:
    State:          Terminated
      Reason:       Completed
    Limits:
      cpu:  1
Containers:
  web:
    Image:          nginx
    Limits:
      cpu:     500m
    Requests:
      cpu:        250m
    Mounts:
      /var/run/x from y (ro)
  proxy:
    Limits:
      cpu:  2
Conditions:
  Type           Status
  Initialized    True
Tolerations:  a/b:NoExecute op=Exists for 300s
Events:       <none>
";
    assert_eq!(limit(text), Some((50_000, 100_000)));
    let said = words(text);
    assert!(said.contains("left out: the container “proxy” and init container “setup”"), "{said}");
}

#[test]
fn a_pods_own_limit_is_around_its_containers() {
    let pod = |limit: &str, containers: &str| {
        format!(
            "kind: Pod\nmetadata: {{name: a}}\nspec:\n  resources: {{limits: {{cpu: {limit}}}}}\n  \
             containers:\n  - name: web\n{containers}"
        )
    };
    let inside = "    resources: {limits: {cpu: 500m}}\n";
    let both = reading(&pod("2", inside));
    let cgroups = &both.scenario.unwrap()["cgroups"];
    assert_eq!(cgroups["pod"]["cpu_max"], "200000 100000");
    assert_eq!(cgroups["pod/container"]["cpu_max"], "50000 100000");
    assert_eq!(limit(&pod("2", "")), Some((200_000, 100_000)));
    let above = words(&pod("200m", inside));
    assert!(above.contains("refuses a container's limit above its Pod's"), "{above}");
}

#[test]
fn what_bounds_others_is_no_limit_of_a_container() {
    let quota = "kind: ResourceQuota\nspec:\n  hard:\n    limits.cpu: \"8\"";
    assert!(words(quota).contains("of a namespace"));
    assert_eq!(limit(quota), None);
    let range = "kind: LimitRange\nspec:\n  limits:\n  - default: {cpu: 500m}\n    type: Container";
    assert_eq!(limit(range), Some((50_000, 100_000)));
    assert!(words(range).contains("containers that state no limit"));
    let most = "kind: LimitRange\nspec:\n  limits:\n  - max: {cpu: 500m}\n    type: Container";
    assert!(words(most).contains("states no default"));
    let whole = "kind: VerticalPodAutoscaler\nstatus:\n  recommendation:\n    \
        containerRecommendations:\n    - containerName: web\n      target: {cpu: 250m}\n\
        apiVersion: v1";
    assert!(words(whole).contains("request of 0.25 CPUs"), "{}", words(whole));
    let vpa = "recommendation:\n  containerRecommendations:\n  - containerName: web\n    \
        target:\n      cpu: 250m\n    upperBound:\n      cpu: 2";
    assert!(words(vpa).contains("request of 0.25 CPUs for the container “web”: a weight"));
    let node = "Capacity:\n  cpu:                8\nAllocatable:\n  cpu:                7910m";
    assert_eq!(limit(node), None);
}

#[test]
fn no_limit_is_said_to_be_none() {
    for text in [
        "requests:\n  cpu: 100m",
        "limits: {cpu: \"0\"}\nrequests: {cpu: 100m}",
        "docker run --cpus=0 nginx",
        "docker run nginx --cpus=2",
        "[{\"Name\":\"/web\",\"HostConfig\":{\"NanoCpus\":0,\"CpuQuota\":0,\"CpuShares\":0}}]",
        "services:\n  web:\n    image: nginx",
        "services:\n  web:\n    cpus: 0",
        "CPUQuota=50%\nCPUQuota=",
        "[Service]\nCPUWeight=50",
        "CPUQuotaPerSecUSec=infinity",
        "{\"family\":\"a\",\"containerDefinitions\":[{\"name\":\"a\",\"cpu\":256}]}",
        "task \"web\" {\n  config {\n    image = \"a\"\n  }\n  resources {\n    cpu = 500\n  }\n}",
        "limits.cpu.allowance: 50%",
        "limits.cpu: 0-3",
    ] {
        assert_eq!(limit(text), None, "{text}");
        assert!(words(text).contains("CPU limit"), "{text}: {}", words(text));
    }
}

#[test]
fn options_behind_the_image_are_the_programs() {
    let said = words("podman run --rm -it -e A=1 -v /a:/b --network host img tool --cpus=4");
    assert!(said.contains("Behind the image “img”") && said.contains("“--cpus=4”"), "{said}");
    let unsure = words("docker run --frobnicate now nginx --cpus=2");
    assert!(unsure.contains("not known here whether “--frobnicate” takes a value"), "{unsure}");
    let known = words("docker run --frobnicate=now --cpus=2 nginx");
    assert!(!known.contains("not known here"), "{known}");
}

#[test]
fn what_is_said_beside_a_limit_is_named() {
    for (text, said) in [
        ("docker run -c 512 --cpus=1 nginx", "“512” sets cpu.weight 20"),
        ("docker run --cpuset-cpus 0-1 --cpus 1 nginx", "the CPUs “0-1” only"),
        ("docker run --cpuset-cpus 0-7 --cpus 4 nginx", "machine has no others"),
        ("docker run --cpus=1 --cpu-rt-runtime=9500 a", "--cpu-rt-runtime"),
        ("services:\n  a:\n    cpus: 1\n    cpu_rt_runtime: 400ms", "cpu_rt_runtime:"),
        ("CPUQuota=20%\nCPUSchedulingPolicy=fifo", "does not limit real-time threads"),
        ("CPUQuota=20%\nCPUAffinity=0 1\nNice=-5", "CPUAffinity= and Nice="),
        ("CPUQuota=20%\nAllowedCPUs=0 1", "the CPUs “0,1” only"),
        ("CPUQuota=12.5%", "Older versions of systemd"),
        ("limits.cpu: 2", "in LXD it would be a number of CPUs"),
        ("cpu: 2", "of limits or of requests"),
        ("kubectl set resources deploy/web --limits=cpu=1", "every container of the Pod"),
    ] {
        assert!(words(text).contains(said), "{text}: {}", words(text));
        assert!(limit(text).is_some(), "{text}");
    }
    let shown = words("CPUQuotaPerSecUSec=200ms\nNice=0\nCPUSchedulingPolicy=0\nCPUAffinity=");
    assert!(!shown.contains("nothing like it"), "{shown}");
}

#[test]
fn a_quota_of_systemd_below_1_ms_lengthens_the_period() {
    for (text, wanted) in [
        ("CPUQuota=20%\nCPUQuotaPeriodSec=10ms", (2_000, 10_000)),
        ("CPUQuota=5%\nCPUQuotaPeriodSec=10ms", (1_000, 20_000)),
        ("CPUQuota=3%\nCPUQuotaPeriodSec=1ms", (1_000, 33_333)),
        ("CPUQuota=0.05%", (1_000, 1_000_000)),
        ("CPUQuota=150%\nCPUQuotaPeriodSec=2500us", (3_750, 2_500)),
        ("CPUQuotaPerSecUSec=333.333ms", (33_333, 100_000)),
    ] {
        assert_eq!(limit(text), Some(wanted), "{text}");
    }
}

#[test]
fn files_of_units_are_those_of_the_unit_they_name() {
    let text = "# /etc/systemd/system/web.service\n[Unit]\nDescription=Web\n[Service]\n\
        ExecStart=/usr/bin/web\nCPUQuota=50%\n\n\
        # /etc/systemd/system/web.service.d/50-CPUQuota.conf\n[Service]\nCPUQuota=180%\n";
    assert_eq!(limit(text), Some((180_000, 100_000)));
    assert!(words(text).contains("unit “web.service”"));
    let mut notes = reading(text).lines.into_iter().flat_map(|line| line.notes);
    assert!(notes.all(|note| note.fate != Fate::NotUnderstood));
}

#[test]
fn a_share_of_a_core_needs_the_cores_megahertz() {
    let job = "job \"a\" {
  group \"g\" {
    task \"web\" {
      config {
        cpu_hard_limit = \"true\"
        cpu_cfs_period = 50000
      }
      resources {
        cpu = 1000 # MHz
      }
    }
  }
}
";
    assert!(words(job).contains("How many MHz a core has"));
    assert_eq!(limit(job), None);
    assert_eq!(limit(&format!("{job}cpu.frequency = 2500\n")), Some((20_000, 50_000)));
    let cores = job.replace("cpu = 1000 # MHz", "cores = 2");
    assert!(words(&cores).contains("2 cores of its own"));
}

#[test]
fn a_task_of_ecs_is_limited_and_its_containers_have_shares() {
    let text = "Resources:
  Task:
    Properties:
      Cpu: 256
      RequiresCompatibilities: [FARGATE]
      ContainerDefinitions:
        - Name: api
          Cpu: 128
";
    assert_eq!(limit(text), Some((25_000, 100_000)));
    assert!(words(text).contains("cpu 128 of the container “api” are shares"));
}

#[test]
fn options_inside_a_text_of_json_are_those_of_their_module() {
    let text = "{\"modules\":{\"edge\":{\"settings\":{\"createOptions\":\
        \"{\\\"HostConfig\\\":{\\\"NanoCpus\\\":250000000}}\"}},\"other\":{\"settings\":\
        {\"createOptions\":{\"HostConfig\":{\"NanoCpus\":500000000}}}}}}";
    let said = words(text);
    assert!(said.contains("“edge”") && said.contains("“other”"), "{said}");
}

#[test]
fn a_text_cut_short_states_no_half_of_a_number() {
    let whole = "{\"HostConfig\": {\"NanoCpus\": 1500000000, \"CpuShares\": 512}}";
    for cut in 1..whole.len() {
        let found = limit(&whole[..cut]);
        assert!(found.is_none() || found == Some((150_000, 100_000)), "{}", &whole[..cut]);
    }
    let pod = "{\"resources\":{\"limits\":{\"cpu\":2.5},\n";
    assert_eq!(limit(pod), Some((250_000, 100_000)));
}

#[test]
fn hostile_blocks_end_soon() {
    for text in [
        format!("limits: {}", "[".repeat(60_000)),
        format!("limits:\n{}", "  a: &a [*a, *a]\n".repeat(3_000)),
        format!("limits: {}", "a: ".repeat(20_000)),
        format!("{}'docker run", "'".repeat(60_000)),
        format!("docker run {}", "-x ".repeat(60_000)),
        "job \"a\" {\n".repeat(5_000),
        format!("{{\"a\":{}", "[{\"HostConfig\":".repeat(3_000)),
        format!(
            "Limits:\n{}",
            (0..4_000).map(|at| format!("{}a:\n", " ".repeat(at % 200))).collect::<String>()
        ),
        "CPUQuota=999999999%\nCPUQuotaPeriodSec=999999999d".to_owned(),
        "limits.cpu.allowance: 999999999d/999999999d".to_owned(),
        "{\"HostConfig\":{\"CpuQuota\":9223372036854775807,\"CpuPeriod\":9223372036854775807,\
         \"CpuShares\":9223372036854775807}}"
            .to_owned(),
        "container_spec_cpu_quota 1e300\ncontainer_cpu_usage_seconds_total NaN".to_owned(),
    ] {
        assert!(read(&text).is_ok());
    }
}

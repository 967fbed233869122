//! `machine.costs`: a preset by its name, or an object of a preset and single costs laid over it;
//! each cost is a knob of its own.
//!
//! ```text
//!   "costs": "vm2_meas"
//!   "costs": { "preset": "vm2_meas", "schedule_ns": 1200 }
//!   --set machine.costs.schedule_ns=1200
//! ```

use schedscope_engine::machine::costs::{COST_FIELDS, Costs, CostsName};
use schedscope_engine::named::Named;
use serde_json::json;

use crate::error::{Fault, ScenarioError};
use crate::knobs::knob::{Knob, KnobType};
use crate::knobs::setting::{Setting, typed};
use crate::reading::json::{Member, Node, Value, join, parse};
use crate::reading::tree::find;
use crate::reading::values::{unknown_key, wrong_kind};
use crate::resolve::resolver::{Origin, Resolver};
use crate::text::readable as shorten;

/// The knob of the preset.
pub(crate) const PATH: &str = "machine.costs";
/// The preset's key in the object.
const PRESET: &str = "preset";
/// A cost of a tenth of a second is beyond any machine.
const NS_MAX: u64 = 100_000_000;

/// The knob of the preset; it also takes an object of a preset and single costs.
pub(crate) fn preset_knob() -> Knob {
    Knob::named(
        PATH,
        "cost preset",
        CostsName::Ticket2012,
        "How long kernel operations take: a named preset, or an object with a preset and single \
            costs.",
        "each cost is listed with its own provenance",
    )
    .or_object(check)
}

/// A knob for every cost.
pub(crate) fn knobs() -> Vec<Knob> {
    let of_field = |field: &schedscope_engine::machine::costs::CostField| {
        let max = if field.name.ends_with("_ns") { NS_MAX } else { 10_000 };
        Knob::new(
            field.path,
            field.name,
            KnobType::Integer,
            "auto",
            field.doc,
            "machine.costs lists each cost with its provenance",
        )
        .range(0, max)
        .words([("auto", "the cost preset's")])
    };
    COST_FIELDS.iter().map(of_field).collect()
}

/// Whether `node` is a sound object of costs; used where the knob is typed.
fn check(node: &Node) -> Result<(), Fault> {
    let Value::Object(members) = &node.value else { return Ok(()) };
    for member in members {
        let path = join(PATH, &shorten(&member.key));
        if member.key == PRESET {
            typed(&preset_knob(), &member.value).map_err(|fault| fault.at_path(&path))?;
            if matches!(member.value.value, Value::Object(_)) {
                return Err(Fault::new(member.at, path, "this is an object")
                    .expected("the name of a preset"));
            }
        } else if let Some(knob) = knobs().iter().find(|knob| knob.path == path) {
            typed(knob, &member.value)?;
        } else {
            let known: Vec<&str> =
                std::iter::once(PRESET).chain(COST_FIELDS.iter().map(|field| field.name)).collect();
            return Err(unknown_key(member, PATH, &known));
        }
    }
    Ok(())
}

/// The text of a file that holds nothing but costs, as the value of `machine.costs`.
pub fn costs_of_file(text: &str) -> Result<serde_json::Value, ScenarioError> {
    let read = |node: Node| match &node.value {
        Value::Object(_) => check(&node).map(|()| node.to_json()),
        _ => Err(wrong_kind(
            &node,
            PATH,
            "an object such as { \"preset\": \"vm2_meas\", \"schedule_ns\": 1200 }",
        )),
    };
    parse(text).and_then(read).map_err(|fault| fault.locate(text))
}

/// The object as a JSON schema.
pub(crate) fn schema() -> serde_json::Value {
    let names: Vec<&str> = CostsName::ALL.iter().map(|name| name.name()).collect();
    let mut properties =
        serde_json::Map::from_iter([(PRESET.to_owned(), json!({ "enum": names }))]);
    for knob in knobs() {
        let plain = json!({ "type": "integer", "minimum": knob.min, "maximum": knob.max });
        properties.insert(
            knob.key().to_owned(),
            json!({ "anyOf": [plain, { "enum": ["auto"] }], "description": knob.doc }),
        );
    }
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

/// The preset, remembered by its name whether a name or an object states it.
pub(crate) fn preset(resolver: &mut Resolver<'_>) -> Result<CostsName, Fault> {
    let stated = resolver.stated(PATH)?;
    let name = match stated.as_ref().map(|stated| &stated.setting) {
        Some(Setting::Word(word)) => Some(word.clone()),
        Some(Setting::Object(object)) => {
            object.get(PRESET).and_then(|preset| preset.as_str()).map(str::to_owned)
        }
        _ => None,
    };
    let origin = if name.is_some() { Origin::Stated } else { Origin::Default };
    let name =
        name.unwrap_or_else(|| preset_knob().default.as_str().unwrap_or_default().to_owned());
    let preset = CostsName::parse(&name).expect("the table holds the engine's names");
    resolver.record(PATH, name.into(), origin, None);
    Ok(preset)
}

/// Every cost: the preset's, or what is stated for it alone.
pub(crate) fn resolve(resolver: &mut Resolver<'_>, preset: CostsName) -> Result<Costs, Fault> {
    let mut costs = Costs::preset(preset);
    for field in COST_FIELDS {
        let stated = resolver.stated(field.path)?;
        let value = costs.field_mut(field.name).expect("the table is made from the fields");
        let alone = match stated.map(|stated| stated.setting) {
            Some(Setting::Integer(number)) => {
                Some(u32::try_from(number).expect("the table's maximum fits"))
            }
            _ => None,
        };
        *value = alone.unwrap_or(*value);
        let (origin, source) = if alone.is_some() {
            (Origin::Stated, None)
        } else {
            (Origin::Default, Some("the cost preset's"))
        };
        resolver.record(field.path, (*value).into(), origin, source);
    }
    Ok(costs)
}

/// `set` with an object of single costs that names no preset as the changes of each cost: the
/// scenario's own preset stays.
pub(crate) fn spread(set: &[(String, serde_json::Value)]) -> Vec<(String, serde_json::Value)> {
    let mut spread = Vec::with_capacity(set.len());
    for (path, value) in set {
        match value.as_object().filter(|costs| path == PATH && !costs.contains_key(PRESET)) {
            Some(costs) => {
                spread.extend(costs.iter().map(|(name, cost)| (join(PATH, name), cost.clone())))
            }
            None => spread.push((path.clone(), value.clone())),
        }
    }
    spread
}

/// Whether `path` is the knob of a single cost.
pub(crate) fn is_cost(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| rest.starts_with('.'))
}

/// Makes `machine.costs` an object, its preset kept, so that a single cost can be laid over it.
pub(crate) fn open(root: &mut Node) {
    let Some(machine) = member_mut(root, "machine") else { return };
    if let Some(Node { value, at }) = member_mut(machine, "costs")
        && matches!(value, Value::Text(_))
    {
        let preset = Node { at: *at, value: std::mem::replace(value, Value::Object(Vec::new())) };
        *value = Value::Object(vec![Member { key: PRESET.to_owned(), at: None, value: preset }]);
    }
}

/// The single costs of the scenario that `keep` says are to outlive a change of the preset, laid
/// over `node`.
pub(crate) fn keep(root: &Node, node: Node, keep: impl Fn(&str) -> bool) -> Node {
    let Some(Node { value: Value::Object(members), .. }) = find(root, PATH) else {
        return node;
    };
    let kept: Vec<Member> =
        members.iter().filter(|member| keep(&join(PATH, &member.key))).cloned().collect();
    if kept.is_empty() || matches!(node.value, Value::Object(_)) {
        return node;
    }
    let preset = Member { key: PRESET.to_owned(), at: None, value: node };
    Node { at: None, value: Value::Object(std::iter::once(preset).chain(kept).collect()) }
}

fn member_mut<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let Value::Object(members) = &mut node.value else { return None };
    members.iter_mut().find(|member| member.key == key).map(|member| &mut member.value)
}

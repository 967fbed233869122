//! Events around critical sections, ours and not rt-app's: spin locks of user space, slice
//! extensions and page faults.

use schedscope_engine::setup::Op;

use super::events::Reader;
use super::resources::Sort;
use crate::error::{Fault, nearest};
use crate::reading::json::{Node, Value, join};
use crate::reading::values::{boolean, integer, known_object, missing, text};
use crate::text::readable as shorten;

/// A spin lock that is held at this point of the phase.
pub(super) struct Spin {
    lock: u32,
    pub(super) name: String,
    extends: bool,
    pub(super) at: Option<usize>,
    pub(super) path: String,
}

impl Reader<'_, '_> {
    /// A spin lock, and where it asks for a slice extension, the request once it is taken.
    pub(super) fn spin_lock(
        &mut self,
        node: &Node,
        path: &str,
        held: &mut Vec<Spin>,
        ops: &mut Vec<Op>,
    ) -> Result<(), Fault> {
        const KEYS: &str = "a name, or { \"ref\", \"slice_extension\" }";
        let (named, at, extends) = match node.value {
            Value::Object(_) => {
                known_object(node, path, &["ref", "slice_extension"])?;
                let named = node.member("ref").ok_or_else(|| missing(node, path, "ref", KEYS))?;
                let extends = node
                    .member("slice_extension")
                    .map(|flag| boolean(&flag.value, &join(path, "slice_extension")))
                    .transpose()?;
                (&named.value, join(path, "ref"), extends.unwrap_or(false))
            }
            _ => (node, path.to_owned(), false),
        };
        let name = text(named, &at).map_err(|fault| fault.expected(KEYS))?;
        if name.is_empty() {
            return Err(Fault::new(named.at, at, "the name is empty").expected("a name"));
        }
        if held.iter().any(|spin| spin.name == name) {
            let message =
                format!("the task already holds \"{}\" and would spin for ever", shorten(name));
            return Err(Fault::new(named.at, at, message)
                .expected("a spin_unlock between the two spin_locks"));
        }
        let lock = self.resources.object(Sort::SpinLock, name);
        ops.push(Op::SpinLock { lock });
        ops.extend(extends.then_some(Op::SliceRequest));
        held.push(Spin {
            lock,
            name: name.to_owned(),
            extends,
            at: node.at,
            path: path.to_owned(),
        });
        Ok(())
    }

    /// Releases a spin lock, which also ends the request or the extension.
    pub(super) fn spin_unlock(
        &mut self,
        node: &Node,
        path: &str,
        held: &mut Vec<Spin>,
        ops: &mut Vec<Op>,
    ) -> Result<(), Fault> {
        let name = text(node, path)?;
        let Some(at) = held.iter().position(|spin| spin.name == name) else {
            let message = format!("the task does not hold \"{}\" here", shorten(name));
            let near = nearest(name, held.iter().map(|spin| spin.name.as_str()));
            return Err(Fault::new(node.at, path, message)
                .expected("a spin_lock of the same name earlier in the same phase")
                .suggest(near.map(|name| format!("\"{name}\""))));
        };
        let spin = held.remove(at);
        ops.push(Op::SpinUnlock { lock: spin.lock });
        ops.extend(spin.extends.then_some(Op::SliceYield));
        Ok(())
    }

    /// A page fault: an amount, or `{ "us", "share_milli" }` where it comes only so many times in a
    /// thousand.
    pub(super) fn fault(&mut self, node: &Node, path: &str) -> Result<Op, Fault> {
        let (work, at, share) = match node.member("us") {
            Some(work) => {
                known_object(node, path, &["us", "share_milli"])?;
                let share = node
                    .member("share_milli")
                    .map(|share| integer(&share.value, &join(path, "share_milli"), 0, 1_000))
                    .transpose()?;
                (&work.value, join(path, "us"), share.unwrap_or(1_000))
            }
            None => (node, path.to_owned(), 1_000),
        };
        let share_milli = u32::try_from(share).expect("0 to 1000");
        Ok(Op::PageFault { ns: self.amount(work, &at)?, share_milli })
    }
}

// Whether the address asks for the list of questions at its lessons, `?lessons`: where a lesson
// ends.

export function listAsked(): boolean {
  return new URLSearchParams(window.location.search).has("lessons");
}

// The form that a browser was left in: an address without lab things opens as it.

/* global Storage */

/** Makes the pages of `page` open in the lab; a Playwright page, before it goes anywhere. */
export async function leaveInLab(page) {
  await page.addInitScript(() => {
    const read = Storage.prototype.getItem;
    Storage.prototype.getItem = function kept(name) {
      return /^schedscope:.*:form$/.test(name) ? "lab" : read.call(this, name);
    };
  });
}

/** Reloads the page, where the specification says so (docs/spec-gaps.md G65). */
export const reloadPage = (): void => globalThis.location.reload()

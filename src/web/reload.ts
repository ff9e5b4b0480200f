/** Reloads the page in the cases where the specification requires it (docs/spec-gaps.md G65). */
export const reloadPage = (): void => globalThis.location.reload()

/** Reloads the page when the specification requires it (docs/spec-gaps.md G65). */
export const reloadPage = (): void => globalThis.location.reload()

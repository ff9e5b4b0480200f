/*
 * When a 401 interrupts work, the user signs in again without leaving the page, and the rejected requests are
 * repeated (docs/spec-gaps.md G145). The dialog belongs to a feature, which registers it here.
 */

/** Resolves to true when the same user has signed in again, or to false when they gave up. */
type AskToSignIn = () => Promise<boolean>

let ask: AskToSignIn | undefined
let asking: Promise<boolean> | undefined

export function onSessionLost(handler: AskToSignIn): () => void {
  ask = handler
  return () => {
    if (ask === handler) ask = undefined
  }
}

/** Asks the user to sign in again; concurrent 401s share one dialog. */
export function reauthenticate(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

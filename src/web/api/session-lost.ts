/*
 * After a 401 in the middle of work, the person signs in again in place, and the refused requests are repeated (docs/spec-gaps.md G145).
 * The dialog is part of a feature, which registers it here.
 */

/** Resolves to true when the same person has signed in again, to false when they gave up. */
type AskToSignIn = () => Promise<boolean>

let ask: AskToSignIn | undefined
let asking: Promise<boolean> | undefined

export function onSessionLost(handler: AskToSignIn): () => void {
  ask = handler
  return () => {
    if (ask === handler) ask = undefined
  }
}

/** Asks to sign in again; concurrent refusals share one dialog. */
export function reauthenticate(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

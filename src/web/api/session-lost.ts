/*
 * A 401 in the middle of work asks to sign in again in place; what was refused is repeated afterwards (docs/spec-gaps.md G145).
 * The dialog belongs to a feature, which registers itself here.
 */

/** Resolves true when the same person is signed in again, false when they gave up. */
type AskToSignIn = () => Promise<boolean>

let ask: AskToSignIn | undefined
let asking: Promise<boolean> | undefined

export function onSessionLost(handler: AskToSignIn): () => void {
  ask = handler
  return () => {
    if (ask === handler) ask = undefined
  }
}

/** Several refusals at once share one dialog. */
export function signedInAgain(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

import { useSyncExternalStore } from 'react'

/**
 * Public configuration, available to every browser whether or not the user is signed in, from `GET
 * /api/config`.
 */
export interface Config {
  /** Name shown at the end of page titles. */
  provider: string
  live_port: number
  /** Where to open the live connection; null for `live_port` on the page’s host. */
  live_url: string | null
  /** Length of a session with Remember me, in days. */
  remember_days: number
  version: string
  /** Text shown in the footer; if empty, the year and the provider are shown. */
  copyright: string
}

let asked: Promise<Config> | undefined
let known: Config | undefined
const listeners = new Set<() => void>()

/** Fetches the configuration once; after a failure, the next call tries again. */
export function config(): Promise<Config> {
  asked ??= fetch('/api/config', { headers: { Accept: 'application/json' }, credentials: 'omit' })
    .then(async (answer) => {
      if (!answer.ok) throw new Error(`/api/config answered ${answer.status}`)
      known = (await answer.json()) as Config
      for (const listener of listeners) listener()
      return known
    })
    .catch((error: unknown) => {
      asked = undefined
      throw error
    })
  return asked
}

/** Fetches the configuration again after the settings change. */
export function askConfigAgain(): void {
  asked = undefined
  void config().catch(() => undefined)
}

export const useConfig = (): Config | undefined => useSyncExternalStore(listenToConfig, knownConfig)

const knownConfig = (): Config | undefined => known

function listenToConfig(listener: () => void): () => void {
  listeners.add(listener)
  void config().catch(() => undefined)
  return () => listeners.delete(listener)
}

import { useMemo, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Other tabs.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/**
 * Returns a value that the browser keeps, and a function that changes it wherever it is shown.
 * @param initial used until there is a stored value; must be the same object in every render
 */
export function useStored<Value>(
  key: string,
  initial: Value,
): readonly [Value, (next: Value | ((now: Value) => Value)) => void] {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const value = useMemo(() => parsed(text, initial), [text, initial])

  function set(next: Value | ((now: Value) => Value)): void {
    const now = parsed(localStorage.getItem(key), initial)
    localStorage.setItem(key, JSON.stringify(isUpdate(next) ? next(now) : next))
    for (const listener of [...listeners]) listener()
  }
  return [value, set]
}

const isUpdate = <Value>(next: Value | ((now: Value) => Value)): next is (now: Value) => Value =>
  typeof next === 'function'

function parsed<Value>(text: string | null, initial: Value): Value {
  if (text === null) return initial
  try {
    return JSON.parse(text) as Value
  } catch {
    return initial
  }
}

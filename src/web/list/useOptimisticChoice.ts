import { startTransition, useOptimistic } from 'react'

/**
 * Shows a choice immediately, because the page takes longer to act on it: `const [page, toPage] =
 * useOptimisticChoice(props.page, onPage)`. The choice is shown until `act` is done and has changed the
 * value, so that three quick clicks on "next" move forward three pages.
 */
export function useOptimisticChoice<Value>(
  value: Value,
  act: (value: Value) => unknown,
): [shown: Value, choose: (value: Value) => void] {
  const [shown, show] = useOptimistic(value)
  const choose = (chosen: Value) =>
    startTransition(async () => {
      show(chosen)
      await painted()
      await act(chosen)
    })
  return [shown, choose]
}

const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))

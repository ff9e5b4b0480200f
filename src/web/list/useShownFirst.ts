import { startTransition, useOptimistic } from 'react'

/**
 * What somebody chose is shown before anything else is done about it, which takes the page longer: `const [page, toPage] = useShownFirst(props.page, onPage)`.
 * The choice stands until `act` is done and the value is the chosen one, so that three quick clicks on "next" go three pages on.
 */
export function useShownFirst<Value>(value: Value, act: (value: Value) => unknown): [shown: Value, choose: (value: Value) => void] {
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

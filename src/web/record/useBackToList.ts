import { useRouter } from '@tanstack/react-router'
import { listAddress } from '#web/list/position/listPosition.ts'

/**
 * Returns a function that opens the list that the page's record was opened from, with its filters and page, or
 * another list if the record was opened in another way: `onDone: useBackToList('/users')`.
 */
export function useBackToList(otherwise: string): () => void {
  const router = useRouter()
  return () => {
    const { listPosition } = router.state.location.state
    void router.navigate({
      to: listPosition ? listAddress(listPosition, listPosition.position) : otherwise,
    })
  }
}

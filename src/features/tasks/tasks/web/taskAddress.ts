import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'

/** Task Details stands in the address of any page as `task`: a link to it opens it, and Back closes it. */
export function useTaskAddress() {
  const { task } = useSearch({ strict: false }) as { task?: unknown }
  const navigate = useNavigate()
  const router = useRouter()
  const id = typeof task === 'number' || typeof task === 'string' ? Number(task) : undefined
  const go = (next: number | undefined) => void navigate({ to: '.', search: (now: object) => ({ ...now, task: next }) })
  return {
    id: id !== undefined && Number.isInteger(id) && id > 0 ? id : undefined,
    open: (next: number) => go(next),
    close: () => go(undefined),
    addressOf: (next: number) => router.buildLocation({ to: '.', search: (now: object) => ({ ...now, task: next }) }).href,
  }
}

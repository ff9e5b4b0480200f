import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NotFoundState } from '#web/states/NotFoundState.tsx'

/** Page for an unknown URL (A §2). */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not Found - 404" />
      <NotFoundState />
    </>
  )
}

import { Link } from '@tanstack/react-router'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { PageErrorFrame, PageErrorText } from '#web/parts/PageError.tsx'

/** Page for an unknown URL (A §2). */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not Found - 404" />
      <PageErrorFrame>
        <PageErrorText>We couldn’t find this page.</PageErrorText>
        <Link to="/dashboard">Go to dashboard</Link>
      </PageErrorFrame>
    </>
  )
}

import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { users } from '#features/crm/users/contract.ts'
import { userParents } from '#features/crm/users/web/userAddress.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { isNotFound } from '#web/api/errors.ts'
import { useOrganization } from '#web/organization.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { MissingRecord } from '#web/record/MissingRecord.tsx'
import { RecordPlaceholder } from '#web/record/RecordPlaceholder.tsx'
import { RecordSteps } from '#web/record/RecordSteps.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'

// Loaded late, so that its files weigh less than those of pages that are open all day.
const UserSheet = lazyPart(() => import('#features/crm/users/web/UserSheet.tsx'))

/** Page for a customer user: their facts, everything written to and about them, and what is linked to them. */
export function UserPage() {
  const params = useParams({ strict: false }) as { id?: string }
  const id = Number(params.id)
  return Number.isSafeInteger(id) && id > 0 ? <UserLoader key={id} id={id} /> : <NotFoundPage />
}

function UserLoader({ id }: { id: number }) {
  const query = useQuery(queryOptionsFor(users.show, { params: { id } }))
  const { data, error } = query
  useOrganization(data?.data.organization_id)
  // A user who was shown stays, with what happened to them.
  if (isNotFound(error) && !data) return <MissingRecord type="customer_user" id={id} />
  const loading = (
    <>
      <PageHeader title="User" parents={userParents}>
        <RecordSteps />
      </PageHeader>
      <RecordPlaceholder query={query} what="User" />
    </>
  )
  return data ? (
    <Suspense fallback={loading}>
      <UserSheet user={data.data} error={error} />
    </Suspense>
  ) : (
    loading
  )
}

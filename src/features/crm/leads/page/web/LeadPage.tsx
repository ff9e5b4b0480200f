import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { leads } from '#features/crm/leads/contract.ts'
import { leadParents, prefetchLead } from '#features/crm/leads/page/web/leadParents.ts'
import { useComposerKeys } from '#features/crm/leads/page/web/useComposerKeys.ts'
import { LeadOptionsProvider } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { isNotFound } from '#web/api/errors.ts'
import { useKeysBeforeComposer } from '#web/composer/nextComposer.ts'
import { RecordPlaceholder } from '#web/record/RecordPlaceholder.tsx'
import { winDialog } from '#features/crm/leads/organization/web/winDialog.tsx'
import { useOrganization } from '#web/organization.ts'
import { MissingRecord } from '#web/record/MissingRecord.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useProductOfRecord } from '#web/shell/shownProduct.ts'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'

// Loaded late, so that its files weigh less than those of pages that are open all day.
const LeadSheet = lazyPart(() => import('#features/crm/leads/page/web/LeadSheet.tsx'))

/** Page for the lead identified by the ID in the URL. */
export function LeadPage() {
  const params = useParams({ strict: false }) as { id?: string }
  const id = Number(params.id)
  useKeysBeforeComposer(useComposerKeys(id))
  if (!Number.isSafeInteger(id) || id < 1) return <NotFoundPage />
  return (
    <LeadOptionsProvider win={winDialog}>
      <LeadLoader key={id} id={id} />
    </LeadOptionsProvider>
  )
}

function LeadLoader({ id }: { id: number }) {
  const query = useQuery(queryOptionsFor(leads.show, { query: { id } }))
  const { data, error } = query
  useOrganization(data?.data.organization_id)
  useProductOfRecord(data?.data.lead_for)
  // A lead that was shown stays, with what happened to it.
  if (isNotFound(error) && !data) return <MissingRecord type="lead" id={id} />
  const loading = (
    <>
      <RecordHeader type="lead" id={id} title="Lead details" parents={leadParents} prefetch={prefetchLead} />
      <RecordPlaceholder query={query} what="Lead" />
    </>
  )
  return data ? (
    <Suspense fallback={loading}>
      <LeadSheet lead={data.data} error={error} />
    </Suspense>
  ) : (
    loading
  )
}

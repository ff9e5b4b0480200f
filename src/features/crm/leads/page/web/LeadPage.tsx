import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { records } from '#shared/record.contract.ts'
import { recordMails } from '#shared/record-mail.contract.ts'
import { leadCalls } from '#features/crm/leads/calls/contract.ts'
import { leads } from '#features/crm/leads/contract.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import { leadParents, prefetchLead } from '#features/crm/leads/page/web/leadParents.ts'
import { LeadOptionsProvider } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { useLeadsChanged } from '#features/crm/leads/record/web/useLeadsChanged.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { isNotFound } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import { useKeysBeforeComposer } from '#web/composer/nextComposer.ts'
import { RecordPlaceholder } from '#web/record/RecordPlaceholder.tsx'
import { winDialog } from '#features/crm/leads/organization/web/winDialog.tsx'
import { useOrganization } from '#web/organization.ts'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'

// Loaded late, so that its files weigh less than those of pages that are open all day.
const LeadSheet = lazyPart(() => import('#features/crm/leads/page/web/LeadSheet.tsx'))

const { note, email, call, session } = leadKeys

/** Returns the tabs that the viewer's composer has, by their keys. */
function useComposerKeys(id: number): Record<string, string> {
  const params = { type: 'lead', id } as const
  const mayNote = useMay(records.addNote, { params: { a: 'lead', b: id }, body: { note: '' } })
  const mayMail = useMay(recordMails.send, { params, body: { to: [], subject: '', content: '' } })
  const mayCall = useMay(leadCalls.log, { body: { lead_id: id, outcome: 1 } })
  const maySession = useMay(demos.save)
  return {
    ...(mayNote && { [note]: 'note' }),
    ...(mayMail && { [email]: 'email' }),
    ...(mayCall && { [call]: 'call' }),
    ...(maySession && { [session]: 'session' }),
  }
}

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
  useLeadsChanged([leads.show])
  // A lead that was shown stays, with what happened to it.
  if (isNotFound(error) && !data) return <NotFoundPage />
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

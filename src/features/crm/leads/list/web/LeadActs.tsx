import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import type { LeadFilters, LeadRow } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { useMay } from '#web/api/useSend.ts'
import { copyText } from '#web/copyText.ts'
import type { List } from '#web/list/useList.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const BulkActions = lazyPart(() => import('#features/crm/leads/list/web/BulkActions.tsx'))

/** Returns whether the viewer can change the selected leads in any way. */
export function useMayChangeLeads(): boolean {
  const mayEdit = useMay(leadOperations.change, { body: { selection: {}, change: { kind: 'delete' } } })
  const mayPrioritize = useMay(leadOperations.change, {
    body: { selection: {}, change: { kind: 'color', color: 0 } },
  })
  const mayReject = useMay(leadOperations.change, {
    body: { selection: {}, change: { kind: 'reject', reject_msg: '' } },
  })
  return mayEdit || mayPrioritize || mayReject
}

interface Props {
  list: Pick<List<LeadRow, typeof LeadFilters>, 'selection' | 'rows' | 'total' | 'keepSelected'>
  /** All active filters, for changes to all leads that match. */
  filters: LeadFilters
  mayChange: boolean
}

/** Actions for the selected leads, or for all that match. */
export function LeadActs({
  list: { selection, rows = [], total = 0, keepSelected },
  filters,
  mayChange,
}: Props) {
  // The addresses of leads that were selected on other pages.
  const [seen, setSeen] = useState<Readonly<Record<number, string>>>({})
  const unseen = rows.filter(({ lead_id, email }) => seen[lead_id] !== email)
  if (unseen.length > 0)
    setSeen({ ...seen, ...Object.fromEntries(unseen.map(({ lead_id, email }) => [lead_id, email])) })
  const { isAll, ids } = selection
  return (
    <>
      {mayChange && (
        <Suspense>
          <BulkActions
            chosen={isAll ? { filters: { ...filters, page: 1 }, total } : { ids }}
            product={filters.lead_for}
            onChanged={() => void keepSelected()}
            onDone={selection.clear}
          />
        </Suspense>
      )}
      {!isAll && <CopyAddresses addresses={[...new Set(ids.flatMap((id) => seen[id] || []))]} />}
    </>
  )
}

function CopyAddresses({ addresses }: { addresses: readonly string[] }) {
  const done =
    addresses.length === 1 ? '1 email address copied.' : `${addresses.length} email addresses copied.`
  return (
    <Button
      size="compact-xs"
      variant="default"
      disabled={addresses.length === 0}
      title={addresses.length === 0 ? 'None of the selected leads has an email address.' : undefined}
      onClick={() => void copyText(addresses.join(', '), done)}
    >
      Copy email addresses
    </Button>
  )
}

import { Suspense, useState } from 'react'
import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { leads, type Lead } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import classes from '#features/crm/leads/operations/web/operations.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded } from '#web/list/states.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

const MergeLeads = lazyPart(() => import('#features/crm/leads/operations/web/MergeLeads.tsx'))

interface Props {
  lead: Lead
  onMerged: (kept: Pick<Lead, 'lead_id' | 'companyName'>) => void
  onClose: () => void
}

const typingMs = 250
const most = 8

/**
 * Dialog for finding the lead to merge with: likely duplicates are listed first, and other leads can be found
 * by search.
 */
export default function MergeWith({ lead, onMerged, onClose }: Props) {
  const dialog = useDialog()
  const [other, setOther] = useState<number>()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), typingMs)
  const { lead_id, lead_for, companyName, email } = lead
  const alike = useQuery(
    queryOptionsFor(leadOperations.duplicates, {
      query: { lead_for, companyName, email: email ?? '', except: lead_id },
    }),
  )
  const found = useQuery({
    ...queryOptionsFor(leads.list, { query: { search, fromDate: 'all', toDate: 'all' } }),
    ...(search ? {} : { enabled: false }),
  })
  if (other !== undefined)
    return (
      <Suspense>
        <MergeLeads ids={[lead_id, other]} onMerged={onMerged} onClose={onClose} />
      </Suspense>
    )

  const choices = (list: readonly Pick<Lead, 'lead_id' | 'companyName' | 'email'>[]) => {
    const others = list.filter((one) => one.lead_id !== lead_id).slice(0, most)
    if (!others.length)
      return (
        <p className={classes.explain}>
          {search ? 'No other leads match.' : 'No similar leads found. Search for the lead to merge.'}
        </p>
      )
    return (
      <ul className={classes.found}>
        {others.map((one) => (
          <li key={one.lead_id}>
            <LinkButton onClick={() => setOther(one.lead_id)}>{one.companyName}</LinkButton>{' '}
            <span className={classes.byline}>
              #{one.lead_id}
              {one.email ? ` · ${one.email}` : ''}
            </span>
          </li>
        ))}
      </ul>
    )
  }

  return (
    <Modal {...dialog} opened onClose={onClose} title={`Merge ${companyName}`} size="lg">
      <div className={classes.dialog}>
        <TextInput
          data-autofocus
          label="Search for a lead to merge"
          type="search"
          value={typed}
          maxLength={200}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {search ? (
          <Loaded query={found}>{({ data }) => choices(data.leads)}</Loaded>
        ) : (
          <Loaded query={alike}>{({ data }) => choices(data)}</Loaded>
        )}
      </div>
    </Modal>
  )
}

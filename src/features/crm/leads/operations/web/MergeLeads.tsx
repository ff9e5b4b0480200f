import { dayText } from '#shared/dates.ts'
import { useState } from 'react'
import { Alert, Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Reply } from '#shared/endpoint.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { contactWords, primaryOf } from '#features/crm/leads/contacts/rules.ts'
import type { MergeableField } from '#features/crm/leads/fields.ts'
import { amountOf } from '#features/crm/leads/record/web/leadAmounts.ts'
import { useLeadWords } from '#features/crm/leads/record/web/useLeadWords.ts'
import { FieldChoices } from '#web/record/FieldChoices.tsx'
import classes from '#features/crm/leads/operations/web/operations.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { errorMessageOf, isConflict } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { useDialog } from '#web/parts/useDialog.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  ids: readonly [number, number]
  onMerged: (kept: Lead) => void
  onClose: () => void
}

/**
 * Dialog for merging two leads: the user chooses which one to keep and, field by field, which lead's value to
 * use.
 */
export default function MergeLeads({ ids, onMerged, onClose }: Props) {
  const dialog = useDialog()
  const [chosen, setChosen] = useState<number>()
  // Kept here, because a conflict loads a new preview.
  const [failure, setFailure] = useState<string>()
  const first = useQuery({
    ...queryOptionsFor(leadOperations.mergePreview, { query: { keep: ids[0], other: ids[1] } }),
    staleTime: 0,
  })
  // The lead to keep must not change while the user chooses, even if the other one becomes the better choice.
  if (chosen === undefined && first.data) setChosen(first.data.better)
  const keep = chosen ?? ids[0]
  const other = keep === ids[0] ? ids[1] : ids[0]
  const query = useQuery({
    ...queryOptionsFor(leadOperations.mergePreview, { query: { keep, other } }),
    staleTime: 0,
  })
  return (
    <Modal {...dialog} opened onClose={onClose} title="Merge leads" size="lg">
      <Loaded query={query}>
        {(preview) => (
          <Choosing
            key={keep}
            preview={preview}
            onSwap={() => {
              setChosen(other)
              setFailure(undefined)
            }}
            onMerged={onMerged}
            onClose={onClose}
            failure={failure}
            onFailure={(error) => {
              setFailure(errorMessageOf(error))
              if (isConflict(error)) void query.refetch()
            }}
          />
        )}
      </Loaded>
    </Modal>
  )
}

interface ChoosingProps {
  preview: Reply<typeof leadOperations.mergePreview>
  onSwap: () => void
  onMerged: (kept: Lead) => void
  onClose: () => void
  failure: string | undefined
  onFailure: (error: unknown) => void
}

function Choosing({
  preview: { keep, other, differing, suggested, organizations },
  onSwap,
  onMerged,
  onClose,
  failure,
  onFailure,
}: ChoosingProps) {
  const words = useLeadWords()
  const [chosen, setTake] = useState<readonly MergeableField[]>(suggested)
  // A newer preview may differ in other fields.
  const take = chosen.filter((field) => differing.includes(field))
  const { announceAct } = useUndo()
  const { send, sending } = useSend(leadOperations.merge, { failure: 'throw' })

  const names = namesOf(keep, other)

  async function merge(): Promise<void> {
    try {
      const body = {
        keep: keep.lead_id,
        other: other.lead_id,
        keep_version: keep.version,
        other_version: other.version,
        take,
      }
      const reply = await send({ body })
      if (reply) announceAct(`${reply.data.companyName}: ${reply.message}`, reply.operation)
      onMerged(keep)
      onClose()
    } catch (error) {
      onFailure(error)
    }
  }

  return (
    <div className={classes.dialog}>
      <p className={classes.explain}>
        <strong>{names[0]}</strong> is kept; <strong>{names[1]}</strong> moves to trash. Contacts, tags,
        details, custom fields, demos, emails, answers, notes, and history of both leads are kept.{' '}
        <LinkButton onClick={onSwap}>Keep the other lead</LinkButton>
      </p>
      <FieldChoices
        words={words}
        label="Fields that differ"
        names={names}
        fields={differing.map((field) => ({ field, values: [shownOf(keep, field), shownOf(other, field)] }))}
        second={take}
        onChoose={(field, second) =>
          setTake(second ? [...chosen, field as MergeableField] : chosen.filter((one) => one !== field))
        }
      />
      {differing.length === 0 && <p className={classes.explain}>All fields have the same values.</p>}
      <WhichOrganization {...organizations} />
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <footer className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={sending} onClick={() => void merge()}>
          Merge
        </Button>
      </footer>
    </div>
  )
}

/** An amount is chosen with its currency, a contact with their role, address, and number. */
function shownOf(lead: Lead, field: MergeableField) {
  if (field === 'amount') return amountOf(lead)
  return field === 'contactName' ? contactWords(primaryOf(lead)) : lead[field]
}

/**
 * Returns names that distinguish two leads: their company names or, if those are the same, when they were
 * created.
 */
function namesOf(...leads: [Lead, Lead]): [string, string] {
  const [one, other] = leads
  const isSame = one.companyName.toLowerCase() === other.companyName.toLowerCase()
  const byDay = leads.map((lead) => `${lead.companyName}, ${dayText(lead.lead_date)}`)
  const names = isSame ? byDay : leads.map(({ companyName }) => companyName)
  return names[0] === names[1]
    ? [`${names[0]} (${one.lead_id})`, `${names[1]} (${other.lead_id})`]
    : [names[0]!, names[1]!]
}

/** Explains what happens to the organizations created from the two leads. */
function WhichOrganization({ keep, other }: ChoosingProps['preview']['organizations']) {
  if (!other) return null
  return (
    <p className={classes.explain}>
      {keep ? (
        <>
          Both leads have an organization: <strong>{keep.name}</strong> (#{keep.organization_id}) stays linked
          to the lead you keep; <strong>{other.name}</strong> (#
          {other.organization_id}) is kept without an active lead.
        </>
      ) : (
        <>
          The organization <strong>{other.name}</strong> (#{other.organization_id}) moves to the lead you
          keep.
        </>
      )}
    </p>
  )
}

import { Suspense, use, useState } from 'react'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Lead } from '#features/crm/leads/contract.ts'
import { useSnooze } from '#features/crm/leads/follow-ups/web/useSnooze.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { LeadChips } from '#features/crm/leads/page/web/LeadChips.tsx'
import { leadParents, prefetchLead } from '#features/crm/leads/page/web/leadParents.ts'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { NextLeadContext } from '#features/crm/leads/record/web/nextLead.ts'
import { whyNotReject } from '#features/crm/leads/rules.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { MenuItem } from '#web/parts/Menu.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'

const LeadForm = lazyPart(() => import('#features/crm/leads/record/web/LeadForm.tsx'))
const MergeWith = lazyPart(() => import('#features/crm/leads/operations/web/MergeWith.tsx'))
const RejectLead = lazyPart(() => import('#features/crm/leads/record/web/RejectLead.tsx'))

/** Heading of a lead's page: what changes daily, as chips, and the page's actions. */
export function LeadHead({ lead }: { lead: Lead }) {
  const { undoLast, ...followup } = useSnooze()
  const backToList = useBackToList('/demo-leads')
  usePageKeys({ [leadKeys.undo]: () => void undoLast() })
  return (
    <RecordHeader
      type="lead"
      id={lead.lead_id}
      title={lead.companyName}
      parents={leadParents}
      prefetch={prefetchLead}
      chips={<LeadChips lead={lead} followup={followup} />}
    >
      <HeadActs lead={lead} onRemoved={backToList} />
    </RecordHeader>
  )
}

interface ActsProps {
  lead: Lead
  /** Called when the lead was moved to the trash. */
  onRemoved: () => void
}

/** Reject, and the rare actions on a lead. */
export function HeadActs({ lead, onRemoved }: ActsProps) {
  const [open, setOpen] = useState<'form' | 'rejection' | 'merge'>()
  const { reject } = useLeadRights()
  const navigate = useNavigate()
  const toNext = use(NextLeadContext)
  const whyNot = whyNotReject(lead.status)
  const close = () => setOpen(undefined)
  const askReason = () => whyNot === undefined && setOpen('rejection')
  usePageKeys(reject ? { [leadKeys.reject]: askReason } : {})
  return (
    <>
      {reject && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Reject ${lead.companyName}`}
          aria-disabled={whyNot !== undefined || undefined}
          data-disabled={whyNot !== undefined || undefined}
          title={whyNot ?? leadKeys.reject}
          onClick={askReason}
        >
          Reject
        </Button>
      )}
      <More
        lead={lead}
        onEdit={() => setOpen('form')}
        onMerge={() => setOpen('merge')}
        onRemoved={onRemoved}
      />
      <Suspense>
        {open === 'form' && <LeadForm id={lead.lead_id} onClose={close} />}
        {open === 'rejection' && (
          <RejectLead
            lead={lead}
            onRejected={() => {
              close()
              toNext?.()
            }}
            onClose={close}
          />
        )}
        {open === 'merge' && (
          <MergeWith
            lead={lead}
            onMerged={(kept) => {
              close()
              void navigate({ to: leadAddress(kept) })
            }}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

interface MoreProps extends ActsProps {
  onEdit: () => void
  onMerge: () => void
}

/** The rare actions on a lead. */
function More({ lead, onEdit, onMerge, onRemoved }: MoreProps) {
  const { edit } = useLeadRights()
  const { announceAct } = useUndo()
  const remove = { selection: { ids: [lead.lead_id] }, change: { kind: 'delete' as const } }
  const mayRemove = useMay(leadOperations.change, { body: remove })
  const { send } = useSend(leadOperations.change, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      onRemoved()
    },
  })
  if (!edit && !mayRemove) return null
  return (
    <MoreMenu>
      {edit && (
        <MenuItem icon={<IconPencil size={14} stroke={1.5} aria-hidden />} onClick={onEdit}>
          Edit lead
        </MenuItem>
      )}
      {mayRemove && (
        <>
          <MenuItem icon={<IconArrowMerge size={14} stroke={1.5} aria-hidden />} onClick={onMerge}>
            Merge with another lead
          </MenuItem>
          <MenuItem
            icon={<IconTrash size={14} stroke={1.5} aria-hidden />}
            onClick={() => void send({ body: remove })}
          >
            Move to trash
          </MenuItem>
        </>
      )}
    </MoreMenu>
  )
}

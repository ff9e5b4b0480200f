import { Suspense, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs'
import IconCalendarDue from '@tabler/icons-react/dist/esm/icons/IconCalendarDue.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Lead } from '#features/crm/leads/contract.ts'
import { snoozes } from '#features/crm/leads/follow-ups/rules.ts'
import { useSnooze } from '#features/crm/leads/follow-ups/web/useSnooze.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { leadParents, prefetchLead } from '#features/crm/leads/page/web/leadParents.ts'
import classes from '#features/crm/leads/page/web/lead.module.css'
import { AssignCell } from '#features/crm/leads/record/web/AssignCell.tsx'
import { ColorCell } from '#features/crm/leads/record/web/ColorCell.tsx'
import { FollowupCell, openFollowup } from '#features/crm/leads/record/web/FollowupCell.tsx'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { StuckMark } from '#features/crm/leads/record/web/StuckMark.tsx'
import { StatusCell } from '#features/crm/leads/record/web/StatusCell.tsx'
import { whyNotReject } from '#features/crm/leads/rules.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Initials } from '#web/Avatar.tsx'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { MenuItem } from '#web/parts/Menu.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'
import { today } from '#web/time.ts'

const LeadForm = lazyPart(() => import('#features/crm/leads/record/web/LeadForm.tsx'))
const MergeWith = lazyPart(() => import('#features/crm/leads/operations/web/MergeWith.tsx'))
const RejectLead = lazyPart(() => import('#features/crm/leads/record/web/RejectLead.tsx'))

/** Heading of a lead's page: what changes daily, as chips, and the page's actions. */
export function LeadHead({ lead }: { lead: Lead }) {
  const [open, setOpen] = useState<'form' | 'rejection' | 'merge'>()
  const { reject } = useLeadRights()
  const navigate = useNavigate()
  const whyNot = whyNotReject(lead.status)
  const close = () => setOpen(undefined)
  return (
    <>
      <RecordHeader
        type="lead"
        id={lead.lead_id}
        title={lead.companyName}
        parents={leadParents}
        prefetch={prefetchLead}
        chips={<Chips lead={lead} />}
      >
        {reject && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Reject ${lead.companyName}`}
            aria-disabled={whyNot !== undefined || undefined}
            data-disabled={whyNot !== undefined || undefined}
            title={whyNot}
            onClick={() => whyNot === undefined && setOpen('rejection')}
          >
            Reject
          </Button>
        )}
        <More lead={lead} onEdit={() => setOpen('form')} onMerge={() => setOpen('merge')} />
      </RecordHeader>
      <Suspense>
        {open === 'form' && <LeadForm id={lead.lead_id} onClose={close} />}
        {open === 'rejection' && <RejectLead lead={lead} onClose={close} />}
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

function Chips({ lead }: { lead: Lead }) {
  return (
    <>
      <span>
        <StatusCell lead={lead} />
        <StuckMark lead={lead} />
      </span>
      <ColorCell lead={lead} />
      <AssignCell
        lead={lead}
        shown={
          lead.assigned_name === null ? undefined : (
            <>
              <Initials name={lead.assigned_name} size={20} />
              {lead.assigned_name}
            </>
          )
        }
      />
      <Followup lead={lead} />
    </>
  )
}

const choices = [
  ['tomorrow', 'Tomorrow', leadKeys.tomorrow],
  ['week', 'In a week', leadKeys.week],
] as const

/** The follow-up date, with the days to which it moves without a question. */
function Followup({ lead }: { lead: Lead }) {
  const chip = useRef<HTMLSpanElement>(null)
  const { snooze, undoLast, maySnooze } = useSnooze()
  const moveTo = (when: keyof typeof snoozes) => void snooze(lead, snoozes[when](today()))
  usePageKeys({
    [leadKeys.undo]: () => void undoLast(),
    [leadKeys.date]: () => openFollowup(chip.current),
    ...(maySnooze && Object.fromEntries(choices.map(([when, , key]) => [key, () => moveTo(when)]))),
  })
  return (
    <span className={classes.followup}>
      <IconCalendarDue size={14} stroke={1.5} aria-hidden />
      <Soft as="span">Follow-up</Soft>
      <span ref={chip} className={classes.date}>
        <FollowupCell lead={lead} />
      </span>
      {maySnooze && (
        <span className={classes.days}>
          {choices.map(([when, words, key]) => (
            <Button
              key={when}
              size="compact-xs"
              variant="default"
              aria-label={`${words}: ${lead.companyName}`}
              title={`Follow up ${words.toLowerCase()} (${key})`}
              onClick={() => moveTo(when)}
            >
              {words}
            </Button>
          ))}
        </span>
      )}
    </span>
  )
}

interface MoreProps {
  lead: Lead
  onEdit: () => void
  onMerge: () => void
}

/** The rare actions on a lead. */
function More({ lead, onEdit, onMerge }: MoreProps) {
  const { edit } = useLeadRights()
  const backToList = useBackToList('/demo-leads')
  const { announceAct } = useUndo()
  const remove = { selection: { ids: [lead.lead_id] }, change: { kind: 'delete' as const } }
  const mayRemove = useMay(leadOperations.change, { body: remove })
  const { send } = useSend(leadOperations.change, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      backToList()
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

import { Suspense, useState, type ComponentProps } from 'react'
import { Button } from '@mantine/core'
import { dayText } from '#shared/dates.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { bulkFields } from '#features/crm/leads/bulk-values.contract.ts'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { leadOperations, type BulkChange } from '#features/crm/leads/operations.contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { fieldsOfProduct } from '#features/crm/leads/record/web/customValues.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { BulkDay, BulkMenu, BulkTags } from '#web/list/BulkMenu.tsx'
import { MenuItem } from '#web/parts/Menu.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { Tone } from '#web/parts/Tone.tsx'
import { useUndo } from '#web/record/useUndo.ts'

const RejectMany = lazyPart(() => import('#features/crm/leads/list/web/RejectMany.tsx'))
const EditMany = lazyPart(() => import('#features/crm/leads/list/web/EditMany.tsx'))
const MergeLeads = lazyPart(() => import('#features/crm/leads/operations/web/MergeLeads.tsx'))

/** The selected leads: by ID, or all that match the filters. */
export type Chosen = { ids: readonly number[] } | { filters: LeadFilters; total: number }

interface Props {
  chosen: Chosen
  /** The product of all the leads; undefined if they can be of several. */
  product: number | undefined
  /** Called after a change of the leads, which stay in the list unless it filters by the changed value. */
  onChanged: () => void
  /** Called when the leads were merged or moved to the trash. */
  onDone: () => void
}

/**
 * Actions for the selected leads, limited to those that the viewer is allowed to use; each can be undone from
 * its toast and from the list of operations.
 */
export default function BulkActions({ chosen, product, onChanged, onDone }: Props) {
  const [dialog, setDialog] = useState<'reject' | 'merge' | ComponentProps<typeof EditMany>['field']>()
  const { custom_fields } = useLeadOptions()
  const { them, selection, sending, change, act } = useBulkChange({ chosen, onChanged, onDone })
  const mayEdit = useMay(leadOperations.change, { body: { selection: {}, change: { kind: 'delete' } } })
  const mayReject = useMay(leadOperations.change, {
    body: { selection: {}, change: { kind: 'reject', reject_msg: '' } },
  })

  return (
    <>
      <FieldMenus sending={sending} act={act} mayEdit={mayEdit} />
      {mayEdit && (
        <BulkMenu label="More fields" disabled={sending}>
          {bulkFields.map((field) => (
            <MenuItem key={field} onClick={() => setDialog(field)}>
              {leadFields[field].label}
            </MenuItem>
          ))}
          {product !== undefined &&
            fieldsOfProduct(custom_fields, product).map((field) => (
              <MenuItem key={field.id} onClick={() => setDialog(field)}>
                {field.name}
              </MenuItem>
            ))}
        </BulkMenu>
      )}
      {mayReject && (
        <Button size="compact-xs" variant="default" disabled={sending} onClick={() => setDialog('reject')}>
          Reject
        </Button>
      )}
      {mayEdit && 'ids' in chosen && chosen.ids.length === 2 && (
        <Button size="compact-xs" variant="default" disabled={sending} onClick={() => setDialog('merge')}>
          Merge
        </Button>
      )}
      {mayEdit && (
        <Button
          size="compact-xs"
          variant="default"
          color="red"
          disabled={sending}
          onClick={() => void act({ kind: 'delete' })}
        >
          Move to trash
        </Button>
      )}
      <Suspense>
        {dialog === 'reject' && (
          <RejectMany
            them={them}
            onReject={(rejection) => change({ kind: 'reject', ...rejection })}
            onClose={() => setDialog(undefined)}
          />
        )}
        {dialog !== undefined && dialog !== 'reject' && dialog !== 'merge' && (
          <EditMany
            field={dialog}
            them={them}
            selection={selection}
            onEdit={(values) => change({ kind: 'edit', values })}
            onClose={() => setDialog(undefined)}
          />
        )}
        {dialog === 'merge' && 'ids' in chosen && (
          <MergeLeads
            ids={[chosen.ids[0]!, chosen.ids[1]!]}
            onMerged={() => onDone()}
            onClose={() => setDialog(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

const winHint = 'Only the status changes. An organization is created from the menu of each lead.'

/** Returns functions that change the selected leads: `change` throws, `act` asks first and shows errors. */
function useBulkChange({ chosen, onChanged, onDone }: Omit<Props, 'product'>) {
  const { announceAct } = useUndo()
  const { send, sending } = useSend(leadOperations.change, {
    failure: 'throw',
  })
  const { statuses } = useLeadOptions()
  const count = 'ids' in chosen ? chosen.ids.length : chosen.total
  const selection = 'ids' in chosen ? { ids: [...chosen.ids] } : chosen
  const them = count === 1 ? '1 lead' : `${count.toLocaleString()} leads`

  /** Applies a change to the selection; throws on failure, so that a form can show the error. */
  async function change(what: BulkChange): Promise<void> {
    const reply = await send({ body: { selection, change: what } })
    if (!reply) return
    const missing = reply.missing
      ? ` ${reply.missing === 1 ? 'One was' : `${reply.missing} were`} no longer available.`
      : ''
    announceAct(`${reply.message}${missing}`, reply.operation)
    if (what.kind === 'delete') onDone()
    else onChanged()
  }
  /** `about` names the change in the question, such as `Status: Active`. */
  async function act(what: BulkChange, about?: string): Promise<void> {
    const isWin = what.kind === 'status' && statuses.some(({ id, is_won }) => id === what.status && is_won)
    const isAll = !('ids' in chosen)
    const all = isAll ? `all ${them} that match your filters` : them
    const question = isWin
      ? `Win ${all} without an organization?`
      : what.kind === 'delete'
        ? `Move ${all} to trash?`
        : `Apply this change to ${all}?`
    const hints = { ...(about === undefined ? {} : { about }), ...(isWin ? { detail: winHint } : {}) }
    if ((isAll || isWin) && !(await askToProceed(question, hints))) return
    await change(what).catch((error: unknown) => toast.failure(errorMessageOf(error)))
  }
  return { them, selection, sending, change, act }
}

interface MenusProps {
  sending: boolean
  act: (what: BulkChange, about?: string) => Promise<void>
  mayEdit: boolean
}

function FieldMenus({ sending, act, mayEdit }: MenusProps) {
  const { statuses, colors, staff, tags } = useLeadOptions()
  const mayPrioritise = useMay(leadOperations.change, {
    body: { selection: {}, change: { kind: 'color', color: 0 } },
  })
  return (
    <>
      {mayEdit && (
        <BulkMenu label="Status" disabled={sending}>
          {statuses.flatMap(({ id, name, tone }) =>
            id === rejectedStatus
              ? []
              : [
                  <MenuItem
                    key={id}
                    onClick={() => void act({ kind: 'status', status: id }, `Status: ${name}`)}
                  >
                    <Tone tone={tone}>{name}</Tone>
                  </MenuItem>,
                ],
          )}
        </BulkMenu>
      )}
      {mayPrioritise && (
        <BulkMenu label="Priority" disabled={sending}>
          {colors.map(({ id, name, tone }) => (
            <MenuItem key={id} onClick={() => void act({ kind: 'color', color: id }, `Priority: ${name}`)}>
              <Tone tone={tone}>{name}</Tone>
            </MenuItem>
          ))}
        </BulkMenu>
      )}
      {mayEdit && (
        <BulkMenu label="Assign" disabled={sending}>
          <MenuItem onClick={() => void act({ kind: 'assign', assign_to: null }, 'Assignee: Unassigned')}>
            Unassigned
          </MenuItem>
          {staff.map(({ id, name }) => (
            <MenuItem
              key={id}
              onClick={() => void act({ kind: 'assign', assign_to: id }, `Assignee: ${name}`)}
            >
              {name}
            </MenuItem>
          ))}
        </BulkMenu>
      )}
      {mayEdit && (
        <BulkDay
          label="Follow-up"
          dialog="Follow-up date of selected leads"
          disabled={sending}
          onChoose={(followup_date) =>
            void act(
              { kind: 'followup', followup_date },
              `Follow-up date: ${followup_date ? dayText(followup_date) : 'none'}`,
            )
          }
        />
      )}
      {mayEdit && (
        <BulkTags tags={tags} disabled={sending} onChoose={(what, about) => void act(what, about)} />
      )}
    </>
  )
}

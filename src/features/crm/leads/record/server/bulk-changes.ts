import { nameOfCustomValue } from '#features/crm/leads/custom-fields.rules.ts'
import type { BulkChange } from '#features/crm/leads/operations.contract.ts'
import { rejectedStatus, withoutReason } from '#features/crm/leads/rules.ts'
import type { Row } from '#server/record/rows.ts'
import { completeMaps } from '#server/record/values.ts'

const custom = { maps: { custom_values: nameOfCustomValue } }

/** Returns the columns and tags that a bulk change sets on a lead; moving to the trash is the platform's. */
export function patchOfBulkChange(
  change: Exclude<BulkChange, { kind: 'delete' }>,
  lead: { status: number; tag_ids: number[]; custom_values: unknown },
): Row {
  switch (change.kind) {
    case 'status':
      return lead.status === change.status ? {} : { status: change.status, ...withoutReason }
    case 'reject':
      // A lead that is already rejected keeps its reason.
      return lead.status === rejectedStatus
        ? {}
        : {
            status: rejectedStatus,
            reject_msg: change.reject_msg,
            reject_reason_id: change.reject_reason_id ?? null,
          }
    case 'color':
      return { color: change.color }
    case 'assign':
      return { assign_to: change.assign_to }
    case 'followup':
      return { followup_date: change.followup_date }
    case 'edit':
      // Without an amount, there is no currency.
      return completeMaps(custom, lead, {
        ...change.values,
        ...(change.values.amount === null ? { currency: null } : {}),
      })
    case 'tags': {
      const others = lead.tag_ids.filter((id) => id !== change.tag_id)
      return { tag_ids: change.add ? [...others, change.tag_id] : others }
    }
  }
}

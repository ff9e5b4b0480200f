import { customFields } from '#features/crm/leads/custom-fields/contract.ts'
import { askListsAgain } from '#web/api/queries.ts'
import { toast } from '#web/message/toast.ts'

/** This tab does not receive live events about its own changes, so what shows the fields is refetched here. */
export const afterFieldChange = {
  refresh: [customFields.show],
  onDone: askListsAgain,
} as const

/** Confirms a change in a toast, which can offer to undo it. */
export const toastOf = (reply: { message: string } | undefined, undo?: () => void) =>
  reply && toast.success(reply.message, undo && { undo: { label: 'Undo', onUndo: undo } })

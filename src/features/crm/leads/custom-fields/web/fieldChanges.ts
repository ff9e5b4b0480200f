import { toast } from '#web/message/toast.ts'

/** Confirms a change in a toast, which can offer to undo it. */
export const toastOf = (reply: { message: string } | undefined, undo?: () => void) =>
  reply && toast.success(reply.message, undo && { undo: { label: 'Undo', onUndo: undo } })

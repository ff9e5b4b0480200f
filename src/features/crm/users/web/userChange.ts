import { users } from '#features/crm/users/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { toast } from '#web/message/toast.ts'

/** Returns the function that saves fields of a user; a failure is thrown. */
export function useUserChange() {
  const { announceAct } = useUndo()
  return useSend(users.update, {
    failure: 'throw',
    onDone: ({ message, warning, operation }) =>
      announceAct(warning ? `${message} ${warning}` : message, operation),
  })
}

/** Returns the function that lifts a user's ban. */
export const useUnban = () =>
  useSend(users.unban, {
    onDone: ({ message }) => toast.success(message),
  })

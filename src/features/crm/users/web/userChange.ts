import { records } from '#shared/record.contract.ts'
import { users } from '#features/crm/users/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { toast } from '#web/message/toast.ts'

/** Endpoints that show customer users, to refetch after a user changes. */
export const userQueries = [users.list, users.banned, users.masters, users.show]

/** Returns the function that saves fields of a user; a failure is thrown. */
export function useUserChange() {
  const { announceAct } = useUndo(userQueries)
  return useSend(users.update, {
    refresh: [...userQueries, records.history],
    failure: 'throw',
    onDone: ({ message, warning, operation }) =>
      announceAct(warning ? `${message} ${warning}` : message, operation),
  })
}

/** Returns the function that lifts a user's ban. */
export const useUnban = () =>
  useSend(users.unban, {
    refresh: [...userQueries, records.history],
    onDone: ({ message }) => toast.success(message),
  })

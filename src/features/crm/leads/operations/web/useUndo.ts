import { refreshedByLead } from '#features/crm/leads/cells/web/showInList.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { useUndo } from '#web/record/useUndo.ts'

/** What is asked again when many leads changed at once. */
export const refreshedByAct = [...refreshedByLead, leadOperations.list, leadOperations.show, leadOperations.trash] as const

/** Says what is done with leads, with the way back beside it, and takes acts back. */
export const useLeadUndo = () => useUndo(refreshedByAct)

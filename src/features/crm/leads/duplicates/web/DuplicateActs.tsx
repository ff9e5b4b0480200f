import { Button } from '@mantine/core'
import { useNotDuplicate } from '#features/crm/leads/duplicates/web/useNotDuplicate.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { useMay } from '#web/api/useSend.ts'

interface Props {
  /** A lead that may be a duplicate. */
  lead: { lead_id: number; companyName: string }
  /** IDs of the leads that it may be a duplicate of. */
  others: number[]
  onCompare: () => void
}

/** Buttons that mark a lead as not a duplicate, and that compare it with the one that it may be. */
export function DuplicateActs({ lead: { lead_id, companyName }, others, onCompare }: Props) {
  const mayMerge = useMay(leadOperations.mergePreview)
  const { may: mayMark, mark, sending } = useNotDuplicate()
  const name = `${companyName} #${lead_id}`
  return (
    <>
      {mayMark && (
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={sending}
          aria-label={`Not a duplicate: ${name}`}
          onClick={() => void mark(lead_id, others)}
        >
          Not a duplicate
        </Button>
      )}
      {mayMerge && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Compare and merge: ${name}`}
          onClick={onCompare}
        >
          Compare and merge
        </Button>
      )}
    </>
  )
}

import type { LeadRow } from '#features/crm/leads/contract.ts'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { TagNames } from '#features/crm/leads/record/web/TagNames.tsx'
import { CellMenu } from '#web/list/CellMenu.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const TagMenu = lazyPart(() => import('#features/crm/leads/record/web/LeadMenus.tsx'), 'TagMenu')

/** A lead's tags, editable in place. */
export function TagsCell({ lead }: { lead: Pick<LeadRow, 'lead_id' | 'companyName' | 'tag_ids'> }) {
  const { edit } = useLeadRights()
  const count = lead.tag_ids.length
  return (
    <CellMenu
      label={`Tags of ${lead.companyName}`}
      current={{ name: count === 0 ? 'none' : String(count) }}
      may={edit}
      shown={count === 0 ? edit && '—' : <TagNames ids={lead.tag_ids} />}
    >
      {(at) => <TagMenu lead={lead} at={at} />}
    </CellMenu>
  )
}

import type { LeadRow } from '#features/crm/leads/contract.ts'
import { CellMenu } from '#web/list/CellMenu.tsx'
import { tonedEntryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Flag } from '#web/parts/Tone.tsx'

const ColorMenu = lazyPart(() => import('#features/crm/leads/record/web/LeadMenus.tsx'), 'ColorMenu')

/** A lead's priority color, editable in place. */
export function ColorCell({ lead }: { lead: Pick<LeadRow, 'lead_id' | 'companyName' | 'color'> }) {
  const { colors } = useLeadOptions()
  const { setColor } = useLeadRights()
  return (
    <CellMenu
      label={`Priority of ${lead.companyName}`}
      current={tonedEntryById(colors, lead.color)}
      may={setColor}
      as={Flag}
    >
      {(at) => <ColorMenu lead={lead} at={at} />}
    </CellMenu>
  )
}

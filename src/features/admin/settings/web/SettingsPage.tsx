import { z } from 'zod'
import { panelSettings } from '#features/admin/settings/contract.ts'
import { PanelSettingsForm } from '#features/admin/settings/web/PanelSettingsForm.tsx'
import { useMay } from '#web/api/useSend.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { useViewer } from '#web/session.ts'
import { SettingsTabs } from '#web/shell/SettingsTabs.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

const Tab = z.object({ tab: z.enum(['products']).optional() })

/** Settings of the panel and of its products, in two tabs of one form. */
export function SettingsPage() {
  const viewer = useViewer()
  const may = useMay(panelSettings.show)
  const [{ tab }] = useAddress(Tab)
  return (
    <>
      <PageHeader />
      <SettingsTabs />
      {may && viewer ? (
        <PanelSettingsForm mine={viewer.products} tab={tab ?? 'general'} />
      ) : (
        <NoAccess>Ask an Admin for access to panel settings.</NoAccess>
      )}
    </>
  )
}

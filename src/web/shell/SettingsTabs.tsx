import { PageTabs } from '#web/parts/Tabs.tsx'
import { useViewer } from '#web/session.ts'
import { registered, type Page } from '#web/shell/page.ts'

/** The tabs of the settings, each with an address; viewers see those of pages in their menu. */
export function SettingsTabs() {
  const viewer = useViewer()
  const mayOpen = ({ menu = [] }: Page) =>
    [menu]
      .flat()
      .some(
        ({ needs, onlyFor }) =>
          viewer !== undefined &&
          (needs === undefined || viewer.permissions.has(needs)) &&
          (onlyFor === undefined || onlyFor.includes(viewer.role_id)),
      )
  const tabs = registered.pages.filter(mayOpen).flatMap(({ settingsTabs = [] }) => settingsTabs)
  return <PageTabs label="Settings" tabs={tabs} />
}

import IconLayoutKanban from '@tabler/icons-react/dist/esm/icons/IconLayoutKanban.mjs'
import IconLayoutSidebarRight from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRight.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import classes from '#web/list/inbox/LayoutSwitch.module.css'

const layouts = {
  inbox: { name: 'Inbox', Icon: IconLayoutSidebarRight },
  list: { name: 'List', Icon: IconList },
  table: { name: 'Table', Icon: IconTable },
  board: { name: 'Board', Icon: IconLayoutKanban },
} as const

export type LayoutName = keyof typeof layouts

export interface LayoutChoice<Layout extends LayoutName> {
  layouts: readonly Layout[]
  chosen: Layout
  onChoose: (layout: Layout) => void
}

/** Control for switching among the layouts of a list. */
export const LayoutSwitch = <Layout extends LayoutName>({
  layouts: offered,
  chosen,
  onChoose,
}: LayoutChoice<Layout>) => (
  <div className={classes.switch} role="group" aria-label="Layout">
    {offered.map((layout) => {
      const { name, Icon } = layouts[layout]
      return (
        <button key={layout} type="button" aria-pressed={layout === chosen} onClick={() => onChoose(layout)}>
          <Icon size={14} aria-hidden />
          <span>{name}</span>
        </button>
      )
    })}
  </div>
)

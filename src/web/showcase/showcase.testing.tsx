import { useMantineColorScheme } from '@mantine/core'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { mount } from '#web/mount.testing.tsx'
import { Select } from '#web/parts/controls.tsx'
import { Head } from '#web/parts/Head.tsx'
import { Boards } from '#web/showcase/Boards.testing.tsx'
import { Charts, Tiles } from '#web/showcase/Charts.testing.tsx'
import { Buttons, Choices, Menus, Tones } from '#web/showcase/Controls.testing.tsx'
import { Dates } from '#web/showcase/Dates.testing.tsx'
import { Cards, Inbox, Lists } from '#web/showcase/Lists.testing.tsx'
import { Composers, Sheets, Streams } from '#web/showcase/Records.testing.tsx'
import classes from '#web/showcase/showcase.module.css'
import { States } from '#web/showcase/States.testing.tsx'

/*
 * All shared parts with sample data: /dev/parts in development, e2e/parts.e2e.ts, and docs/screenshots/parts.
 * The page is not part of the panel's build.
 */

const themes = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

function Showcase() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <main className={classes.page}>
      <Head>
        <h1>Parts</h1>
        <Select
          label="Theme"
          value={colorScheme}
          options={themes}
          onChoose={(chosen) => setColorScheme(chosen as typeof colorScheme)}
        />
      </Head>
      <Buttons />
      <Tones />
      <Menus />
      <Choices />
      <Dates />
      <States />
      <Lists />
      <Inbox />
      <Boards />
      <Cards />
      <Tiles />
      <Charts />
      <Streams />
      <Composers />
      <Sheets />
    </main>
  )
}

const root = createRootRoute()
// Links of the samples lead nowhere.
const page = createRoute({ getParentRoute: () => root, path: '$', component: Showcase })
const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() })
await router.load()
mount(<RouterProvider router={router as never} />)

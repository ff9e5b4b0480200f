import { useState } from 'react'
import { Button } from '@mantine/core'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { Initials } from '#web/Avatar.tsx'
import { ChoiceCell } from '#web/list/CellMenu.tsx'
import { Chip, Chips, ClearChips } from '#web/parts/Chips.tsx'
import { IconButton, Select, TextButton, TextLink } from '#web/parts/controls.tsx'
import { CountButton } from '#web/parts/CountButton.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Toggles } from '#web/parts/Toggles.tsx'
import { Dot, Flag, Tone } from '#web/parts/Tone.tsx'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'
import { Part, Row } from '#web/showcase/Part.testing.tsx'
import { longName } from '#web/showcase/samples.testing.ts'
import { toneNames } from '#web/theme.ts'

const plus = <IconPlus size={16} stroke={1.5} aria-hidden />
const refresh = <IconRefresh size={16} stroke={1.5} aria-hidden />
const bell = <IconBell size={18} stroke={1.5} aria-hidden />
const nothing = () => {}

export const Buttons = () => (
  <Part title="Buttons">
    <Row>
      <TextButton primary icon={plus}>
        Add lead
      </TextButton>
      <TextButton icon={refresh}>Refresh</TextButton>
      <TextLink to="/demo-leads" icon={plus}>
        Open leads
      </TextLink>
      <IconButton label="Refresh">{refresh}</IconButton>
      <IconButton label="Refreshing" busy>
        {refresh}
      </IconButton>
      <CountButton label="Chat" count={0} counted="unread">
        {bell}
      </CountButton>
      <CountButton label="Notifications" count={3} counted="unread">
        {bell}
      </CountButton>
      <CountButton label="Tickets" count={120} counted="unread">
        {bell}
      </CountButton>
    </Row>
    <h3>In forms and dialogs</h3>
    <Row>
      <Button>Save lead</Button>
      <Button variant="default">Cancel</Button>
      <Button variant="default" color="red">
        Delete lead
      </Button>
      <Button loading>Save lead</Button>
      <Button disabled>Save lead</Button>
      <Soft as="span">
        No sessions yet. <LinkButton>Add a session</LinkButton>
      </Soft>
    </Row>
  </Part>
)

export const Tones = () => (
  <Part title="Tones">
    <Row>
      {toneNames.map((tone) => (
        <Tone key={tone} tone={tone}>
          {tone}
        </Tone>
      ))}
      <Tone tone="blue">{longName}</Tone>
    </Row>
    <h3>Priorities, and people</h3>
    <Row>
      {toneNames.map((tone) => (
        <Flag key={tone} tone={tone}>
          {tone}
        </Flag>
      ))}
      <Dot label="Paula Weber is viewing this" />
      <Initials name="Paula Weber" size={26} />
      <Initials name={longName} size={26} />
    </Row>
  </Part>
)

const statuses = [
  { id: 0, name: 'Open', tone: 'blue' },
  { id: 1, name: 'Waiting on customer', tone: 'orange' },
  { id: 2, name: 'Closed', tone: 'gray', whyNot: 'A ticket without a category can’t be closed.' },
]

export function Menus() {
  const [status, setStatus] = useState(0)
  return (
    <Part title="Menus">
      <Row>
        <MoreMenu>
          <MenuItem onClick={nothing}>Print</MenuItem>
          <MenuItem checked onClick={nothing}>
            Compact rows
          </MenuItem>
          <MenuItem onClick={nothing}>{longName}</MenuItem>
          <MenuLine />
          <MenuItem disabled title="The ticket is locked." onClick={nothing}>
            Move to trash
          </MenuItem>
        </MoreMenu>
        <ChoiceCell label="Status of Aalto" options={statuses} value={status} may onChoose={setStatus} />
        <ChoiceCell label="Status of Tamsel" options={statuses} value={1} may={false} onChoose={setStatus} />
      </Row>
    </Part>
  )
}

const days = [
  { value: 1, label: 'Monday' },
  { value: 2, label: 'Tuesday' },
  { value: 3, label: 'Wednesday' },
]

export function Choices() {
  const [sort, setSort] = useState('new')
  const [chosen, setChosen] = useState([1])
  return (
    <Part title="Choices">
      <Row>
        <Select
          label="Sort by"
          value={sort}
          options={[
            ['new', 'Newest first'],
            ['name', 'Name'],
          ]}
          onChoose={setSort}
        />
        <Toggles label="Days" options={days} chosen={chosen} onChange={setChosen} />
        <Chips label="Active filters">
          <Chip text="Status: Open" aria-label="Remove filter Status: Open" />
          <Chip text={`Company: ${longName}`} aria-label={`Remove filter Company: ${longName}`} />
          <ClearChips>Clear filters</ClearChips>
        </Chips>
      </Row>
    </Part>
  )
}

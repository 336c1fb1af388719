import { expect, it } from 'vitest';
import { companionVersions } from './companion-versions.ts';

const OF_FLASK_1 = ['Jinja2<3.1', 'itsdangerous<2.1', 'Werkzeug<2.1', 'MarkupSafe<2.1'];

it.each<[list: string, added: string[]]>([
  ['Flask==1.1.2', OF_FLASK_1],
  ['flask[async] ~= 1.0  # pinned', OF_FLASK_1],
  ['Flask==1.1.2\nWerkzeug==1.0.1\nmarkupsafe==2.0.1', ['Jinja2<3.1', 'itsdangerous<2.1']],
  ['Flask==1.1.2\r\njinja2\r\n', OF_FLASK_1],
  ['Flask==2.2.5', ['Werkzeug<3']],
  ['Flask==2.2.5\nWerkzeug>=2.2', []],
  ['Flask==2.3.0', []],
  ['Flask>=1.0', []],
  ['Flask', []],
  ['Flask_SQLAlchemy==2.5.1', ['SQLAlchemy<2']],
  ['flask-sqlalchemy==3.0.2', []],
  ['streamlit==1.12.0', ['altair<5']],
  ['gunicorn==20.1.0', ['setuptools<81']],
  ['gunicorn==23.0.0', []],
  ['# Flask==1.1.2', []],
  ['', []],
])('adds to %j the versions %j', (list, added) => {
  expect(companionVersions(list)).toEqual(added);
});

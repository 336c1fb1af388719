import { expect, it } from 'vitest';
import { detect } from '../detect.ts';

const REQUIREMENTS = 'requirements.txt';

it.each<[what: string, texts: Record<string, string>]>([
  ['Flask without a server', { [REQUIREMENTS]: 'flask', 'app.py': 'app = Flask(__name__)' }],
  [
    'a Flask factory in a package',
    {
      [REQUIREMENTS]: 'flask',
      'app/__init__.py': 'def create_app():\n    app = Flask(__name__)\n',
    },
  ],
  [
    'a wsgi.py that calls a factory',
    {
      [REQUIREMENTS]: 'flask\ngunicorn',
      'wsgi.py': 'from shop import create_app\n\napp = create_app()\n',
    },
  ],
  [
    'a wsgi.py that imports the app',
    { [REQUIREMENTS]: 'flask', 'wsgi.py': 'from shop import app\n' },
  ],
  ['FastAPI without a server', { [REQUIREMENTS]: 'fastapi', 'main.py': 'app = FastAPI()' }],
  [
    'FastAPI in a package',
    { [REQUIREMENTS]: 'fastapi\nuvicorn', 'app/main.py': 'app = FastAPI()' },
  ],
  [
    'a script in src that serves',
    { [REQUIREMENTS]: 'gradio', 'src/main.py': 'create_demo().launch()\n' },
  ],
  [
    'a script in src that imports modules by this name',
    {
      [REQUIREMENTS]: 'gradio',
      'src/main.py': 'from src.ui import demo\ndemo.launch()\n',
      'src/ui.py': '',
    },
  ],
  ['FastAPI in src', { [REQUIREMENTS]: 'fastapi\nuvicorn', 'src/main.py': 'api = FastAPI()' }],
  [
    'FastAPI with uv and no server',
    {
      'pyproject.toml': '[project]\ndependencies = ["fastapi"]',
      'uv.lock': '',
      'main.py': 'app = FastAPI()',
    },
  ],
  [
    'Flask with poetry and no server',
    {
      'pyproject.toml': '[tool.poetry]\nflask = "^3"',
      'poetry.lock': '',
      'app.py': 'app = Flask("a")',
    },
  ],
  [
    'FastAPI in a package below src, with a lock file of uv',
    {
      'pyproject.toml': '[project]\ndependencies = ["fastapi[standard]"]\n[build-system]',
      'uv.lock': '',
      'src/shop/__init__.py': 'app = FastAPI()',
    },
  ],
  [
    'modules in a folder that import each other',
    {
      [REQUIREMENTS]: 'fastapi\nuvicorn',
      'backend/main.py': 'from routes import router\n\napp = FastAPI()',
      'backend/routes.py': '',
    },
  ],
  [
    'an app that another function makes',
    { [REQUIREMENTS]: 'fastapi\nuvicorn', 'app/main.py': 'app = get_application()' },
  ],
  [
    'Flask in a file of any name, in no list of packages',
    { 'hello.py': 'from flask import Flask\n\napp = Flask(__name__)\n' },
  ],
  [
    'a file that imports the app and runs it',
    { [REQUIREMENTS]: 'flask', 'run.py': 'from shop import app\n\napp.run(debug=True)\n' },
  ],
  [
    'a list of packages for production',
    {
      'requirements/base.txt': 'flask',
      'requirements/prod.txt': '-r base.txt\ngunicorn',
      'wsgi.py': 'from shop import app\n',
    },
  ],
  [
    'dependencies in a pyproject.toml that is no package',
    { 'pyproject.toml': '[project]\ndependencies = ["flask"]', 'app.py': 'app = Flask("a")' },
  ],
  ['a setup.py', { 'setup.py': "install_requires=['flask']", 'app.py': 'app = Flask("a")' }],
  [
    'FastAPI with pdm',
    {
      'pyproject.toml': '[project]\ndependencies = ["fastapi", "uvicorn"]',
      'pdm.lock': '',
      'main.py': 'app = FastAPI()',
    },
  ],
  ['Sanic', { [REQUIREMENTS]: 'sanic', 'server.py': 'app = Sanic("shop")' }],
  ['FastHTML', { [REQUIREMENTS]: 'python-fasthtml', 'main.py': 'app, rt = fast_app()\nserve()' }],
  [
    'a start command with a server that is not listed',
    { [REQUIREMENTS]: 'flask', Procfile: 'web: gunicorn shop:app' },
  ],
  ['Streamlit', { [REQUIREMENTS]: 'streamlit', 'streamlit_app.py': '' }],
  [
    'Streamlit in a file of any name',
    { [REQUIREMENTS]: 'streamlit', 'stocks.py': 'import streamlit as st' },
  ],
  [
    'Streamlit that is not listed',
    { [REQUIREMENTS]: 'pandas', 'streamlit_app.py': 'import streamlit as st' },
  ],
  ['Chainlit', { [REQUIREMENTS]: 'chainlit', 'app.py': 'import chainlit as cl' }],
  ['Dash without a variable for its server', { [REQUIREMENTS]: 'dash', 'app.py': 'app = Dash()' }],
  [
    'Django with SQLite, in no list of packages',
    {
      'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')",
      'shop/settings.py': "ENGINE = 'django.db.backends.sqlite3'\n",
    },
  ],
  ['Gradio', { [REQUIREMENTS]: 'gradio', 'app.py': 'demo.launch()' }],
  ['Dash', { [REQUIREMENTS]: 'dash', 'app.py': 'app = Dash(__name__)\nserver = app.server\n' }],
  [
    'Django with static files, and settings in a package',
    {
      [REQUIREMENTS]: 'Django>=5\nuvicorn',
      'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'config.settings.local')",
      'config/settings/base.py': "STATIC_ROOT = BASE_DIR / 'static'\n",
    },
  ],
  [
    'Django with a fixed list of hosts',
    {
      [REQUIREMENTS]: 'django\ngunicorn',
      'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')",
      'shop/wsgi.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')",
      'shop/settings.py': "ALLOWED_HOSTS = ['.example.com', '127.0.0.1']\n",
    },
  ],
  [
    'Django whose hosts come from a variable',
    {
      [REQUIREMENTS]: 'django\ngunicorn',
      'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')",
      'shop/settings.py': "ALLOWED_HOSTS = os.getenv('DJANGO_ALLOWED_HOSTS', '').split(',')\n",
    },
  ],
  [
    'Django that sets the folder of its static files on some hosts only',
    {
      [REQUIREMENTS]: 'django\ngunicorn',
      'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')",
      'shop/settings.py': "if not DEBUG:\n    STATIC_ROOT = 'static'\n",
    },
  ],
  [
    'Django whose function may name no folder for its static files',
    {
      [REQUIREMENTS]: 'django\ngunicorn',
      'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')",
      'shop/settings.py': 'STATIC_ROOT = helpers.static_root()\n',
    },
  ],
  [
    'Django whose project only wsgi.py names',
    { [REQUIREMENTS]: 'django', 'manage.py': '', 'shop/wsgi.py': '' },
  ],
  [
    'a Python version',
    { [REQUIREMENTS]: 'flask', '.python-version': '3.12\n', 'app.py': 'app = Flask("a")' },
  ],
  [
    'a Python version of Heroku',
    { [REQUIREMENTS]: '', 'runtime.txt': 'python-3.11.4\n', 'main.py': '' },
  ],
  [
    'a range of Python versions',
    { 'pyproject.toml': '[project]\nrequires-python = ">=3.12,<4"\n', 'main.py': '' },
  ],
])('plans %s', (_, texts) => {
  const detection = detect({ files: Object.keys(texts), texts });
  if (detection.kind === 'nothing') throw new Error(detection.evidence.join('\n'));
  const { evidence, steps, start, env, versions } = detection.plan;
  expect({ evidence, steps, start, env, versions }).toMatchSnapshot();
});

it('does not start an app of a folder that lists packages, while the root lists none', () => {
  const texts = { 'server/requirements.txt': 'flask', 'server/app.py': 'app = Flask(__name__)' };
  expect(detect({ files: Object.keys(texts), texts }).kind).toBe('nothing');
});

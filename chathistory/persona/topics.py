"""What readers ask of anybody (pride, regret, foes, faith, money, daily life), and what encyclopedias call it.

A reader's word seldom stands in an encyclopedia: 得意 is told there under 主要成就. Each topic therefore has, beside what a
``Kind`` has, the words to look for and the infobox keys that tell it. By topic, never by figure.
"""

# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chathistory.persona.kind import Kind, kind


@dataclass(frozen=True, slots=True)
class Topic:
    """A kind of question that memory is asked for in other words; ``keys`` finds infobox keys that answer it."""

    kind: Kind
    words: str
    keys: re.Pattern[str] | None = None


def _topic(name: str, asked: str, words: str, shown: str, own: str, keys: str = "") -> Topic:
    return Topic(kind(name, asked, shown, own), words, re.compile(keys) if keys else None)


_IN = r"ME[^，。；“]"

TOPICS = (
    _topic(
        "deeds",
        r"成就|贡献|功绩|功劳|功业|事迹|做了什么|得意|骄傲|自豪|辉煌|了不起|光荣|最成功|(?:什么|哪些)(?:发明|发现|创造)|(?:发明|发现|创造)了?(?:什么|哪些)|出名|成名|闻名|proud|achiev",
        "主要成就 贡献 功业 成名 创立 完成",
        r"成就|贡献|功[业绩劳]|得意|自豪|骄傲|成名|闻名|发明|发现|创立|创办|提出|统一|建立|证明|制造|完成|开创|修",
        rf"{_IN}{{0,14}}(?:得意|自豪|骄傲|成名|闻名|发明|发现|创立|创办|提出|统一|建立|证明|制造|开创)"
        r"|ME的?(?:主要|最大的?)?(?:成就|贡献|功[业绩劳])",
        r"成就|贡献|功绩|主要工程|影响",
    ),
    _topic(
        "regret",
        r"后悔|遗憾|憾事|悔恨|懊悔|做错|错事|过错|失误|愧疚|亏欠|对不起|regret|mistake",
        "遗憾 后悔 懊悔 憾事 过失 叹息 愧疚",
        r"遗憾|后悔|悔|憾|愧|过失|自责|懊|叹[息道惜气]",
        rf"{_IN}{{0,16}}(?:遗憾|后悔|悔恨|懊悔|[很深十]悔|憾|愧|过失|自责|懊恼|叹[息道惜气])",
    ),
    _topic(
        "enemy",
        r"敌人|对手|仇|争论|争吵|吵架|吵过|争什么|得罪|死敌|对头|恩怨|过节|政敌|冤家|讨厌谁|恨谁|最恨|rival|enem",
        "对手 政敌 仇敌 争吵 不和 得罪 陷害",
        r"对手|敌|争[吵执论]|仇|怨|得罪|诬|控告|不和|恨|害",
        r"ME的(?:对手|政敌|敌人|死敌|控告者|仇人)|[同和与跟](?:ME)[^，。；]{0,10}(?:争|不和|作对|结怨|对立)"
        rf"|{_IN}{{0,14}}(?:争吵|争执|争论|不和|结怨|对头|死敌|得罪|政敌|对手|恩怨|敌人)"
        r"|(?:陷害|攻击|诬陷|指责|嫉恨|记恨|控告|讥笑|反对|诋毁)ME",
        r"对手|敌|控告者",
    ),
    _topic(
        "reading",
        r"(?:喜欢|爱|常|在|最).{0,4}(?:看|读)?的?(?:一本)?书(?![法画])|[读看](?:过|些|了)?(?:什么|哪些|哪本)书|藏书|读书|favou?rite book",
        "喜欢读 读书 藏书 研读 爱读",
        r"读|藏书|[《]",
        rf"{_IN}{{0,14}}(?:读书|爱读|喜欢读|研读|熟读|藏书|常读|读[^，。；]{{0,6}}《|读《|读[^，。；]{{1,8}}书)|ME的藏书",
    ),
    _topic(
        "fear",
        r"怕(?!是)|害怕|恐惧|畏惧|担忧|担心什么|afraid|fear",
        "害怕 惧怕 畏惧 担心 忧虑",
        r"怕|惧|畏|担心|忧",
        r"ME(?:(?![让使令叫])[^，。；“]){0,10}(?:(?<!恐)怕|惧|畏|担心|担忧|忧虑|不安)",
    ),
    _topic(
        "faith",
        r"信神|信仰|宗教|信教|信佛|信(?:不信)?(?:上帝|鬼|神|命|佛|什么)|相信.{0,4}(?:神|鬼|命|上帝)|鬼神|有没有神|\bgod\b|religio|believe in",
        "信仰 宗教 鬼神 上帝 信奉 神明",
        r"信仰|宗教|鬼|上帝|佛|道教|神(?!秘|经|色|情)|教会|圣经|天命|祭",
        rf"ME的信仰|{_IN}{{0,16}}(?:信|敬|祭|谈|说|拜|祷|崇)[^，。；]{{0,12}}(?:鬼|神(?!秘|经)|佛|上帝|天命|教义|耶稣|道教)"
        rf"|{_IN}{{0,12}}(?:信奉|信仰|信教|笃信|佛门|佛寺|礼佛)",
        r"信仰|宗教",
    ),
    _topic(
        "stocks",
        r"炒股|股票|投资|亏了|亏多少|亏过|赚了|赚多少|破产|欠债|stock|lost money",
        "股票 买进 卖出 亏损 亏掉 赚",
        r"股|亏|赚|债|破产",
        rf"{_IN}{{0,30}}(?:股票|亏|赚|债|破产)|亏掉",
    ),
    _topic(
        "wealth",
        r"有钱|富(?![士于有贵])|穷|贫|工资|薪水|俸禄|收入|家产|财产|发财|(?:多少|缺)钱|挣|rich|poor|salary",
        "俸禄 财产 家产 贫穷 富有 收入 年薪",
        r"贫|穷(?!尽)|富(?!士)|俸|财产|家产|遗产|收入|薪|缺过?钱|贯|镑|[金银]",
        rf"{_IN}{{0,16}}(?:贫|穷(?!尽)|富裕|富有|俸禄|财产|家产|遗产|收入|年薪|薪水|缺过?钱)|ME的(?:俸禄|财产|收入|年薪|薪)",
        r"俸禄|收入|财产|年薪",
    ),
    _topic(
        "temper",
        r"脾气|性格|性情|为人|什么样的?人$|急性子|易怒|temper|personality",
        "性情 性格 脾气 为人 发怒 温和",
        r"性格|性情|脾气|为人|温和|发怒|易怒|大怒|刚毅|记仇|多疑|孤僻",
        rf"{_IN}{{0,8}}(?:性格|性情|脾气|为人|发怒|易怒|大怒|生性|温和|刚毅|记仇|多疑|孤僻|敏感|待人)|ME的(?:性格|性情|脾气|为人)",
        r"性格|性情",
    ),
    _topic(
        "hobby",
        r"爱好|业余|消遣|闲暇|闲的时候|平时(?:做|干|喜欢)|娱乐|喜欢(?:做|干|玩)|(?:喜欢|爱)什么[？?]?$|hobb",
        "爱好 喜欢 喜爱 消遣 擅长",
        r"爱好|喜欢|喜爱|嗜|擅长|消遣",
        rf"{_IN}{{0,6}}(?:喜欢|喜爱|最爱|爱好|嗜|擅长|酷爱|迷上)|ME的(?:爱好|消遣)",
        r"爱好|嗜好|特长",
    ),
    _topic(
        "school",
        r"上学|学校|大学|念书|求学|学历|学习成绩|成绩|读过书|哪里读书|school|study|college",
        "求学 入学 学校 读书 学习",
        r"求学|入学|学校|大学|学院|中学|读书|学习|上学|就学|好学",
        rf"{_IN}{{0,14}}(?:求学|入学|进入[^，。；]{{0,14}}(?:学|院)|上学|就学|读书|学习|好学)",
        r"毕业院校|学历|母校",
    ),
    _topic(
        "food",
        r"吃|喝|饮食|口味|下酒|酒量|\beat\b|\bdrink\b|food",
        "饮食 吃 饭菜 喝酒 爱吃 口味",
        r"吃|喝|饮|食|酒|饭|菜",
        r"ME(?:(?!请|赐|给|宴|派|向)[^，。；“]){0,10}(?:吃|喝|饮[酒食]|食|酒|饭)",
    ),
    _topic(
        "home",
        r"住(?!口|手)|家在哪|房子|where did you live",
        "居住 住在 寓所 宅 定居",
        r"住|居|寓|宅|搬|府第",
        rf"{_IN}{{0,12}}(?:住(?!持)|居住|定居|寓居|搬到|搬进|迁居|隐居)",
        r"居住|住址|成长地",
    ),
    _topic(
        "clothes",
        r"穿|衣服|衣着|打扮|戴什么|clothes|wear",
        "衣服 穿 衣着 衣裳 冠",
        r"穿|衣|裘|袍|冠|戴",
        rf"{_IN}{{0,10}}(?:穿|衣|戴|披|冠|裘|袍)",
    ),
    _topic(
        "look",
        r"长什么样|长相|相貌|多高|身高|外貌|样子(?!的)|模样|长得|漂亮吗|帅|美吗|look like|tall",
        "相貌 容貌 长相 身高 身材 头发",
        r"身[高长材]|相貌|容貌|长得|长相|脸|眼睛|尺|头发|胡[子须]|美容|额",
        rf"{_IN}{{0,8}}(?:身[高长材]|相貌|容貌|长得|长相|脸|眼睛|个子|美容)|ME的(?:身[高材]|相貌|容貌|长相|头发|脸|眼)"
        r"|头发[^，。；]{0,4}白|身高[^，。；]{0,6}[尺米]",
        r"身高|相貌|容貌",
    ),
    _topic(
        "lifespan",
        r"活了|活到|享年|寿命|高寿|多大年纪(?:了|去世|走|[？?]|$)|几岁了|多大了|多大岁数|今年(?:几岁|多大)|年龄|how old",
        "享年 去世时 岁 活到 终年",
        r"享年|终年|活[到了]|去世[^。；]{0,16}岁|虚岁|[0-9七八九六五四三]十[^，。；]{0,2}岁",
        rf"享年|终年|虚岁|活到|{_IN}{{0,10}}活[到了]|去世[^。；]{{0,16}}岁",
    ),
    _topic(
        "health",
        r"生病|生过|得过.{0,4}病|身体(?:好|怎|如)|什么病|健康|受伤|受过伤|\bill\b|health",
        "疾病 患病 生病 身体 受伤",
        r"病|患|受伤|痛|身体|虚弱",
        rf"{_IN}{{0,12}}(?:病(?!人)|患|受伤|痛风|身体|虚弱|失眠)",
    ),
    _topic(
        "habits",
        r"作息|几点|睡觉|睡得|起床|熬夜|每天|一天(?:做|干|怎|都)|习惯|daily",
        "作息 起居 睡觉 每天 早晨 夜里 习惯",
        r"睡|起床|每[天日]|夜里|清晨|寝|习惯|起居",
        rf"{_IN}{{0,12}}(?:睡|起床|每[天日]|夜里|清晨|寝|习惯|熬夜)",
    ),
    _topic(
        "aim",
        r"志向|理想|梦想|愿望|抱负|人生目标|心愿|追求|dream",
        "志向 抱负 理想 愿望 立志",
        r"志向|立志|理想|愿望|抱负|愿|希望",
        rf"{_IN}{{0,14}}(?:志向|立志|理想|愿望|抱负|心愿|一心|愿(?!意))|ME的(?:志向|理想|愿望|抱负)",
    ),
    _topic(
        "admires",
        r"佩服|敬佩|崇拜|敬重|偶像|欣赏|敬仰|尊敬|推崇|admire|hero\b",
        "敬佩 称赞 敬重 推崇 佩服 仰慕",
        r"敬|佩服|称赞|推崇|赞[赏叹扬]|仰慕|崇拜",
        rf"{_IN}{{0,14}}(?:敬[佩重仰慕畏]|佩服|称赞|推崇|赞[赏叹扬]|仰慕|崇拜|欣赏)",
    ),
    _topic(
        "love",
        r"爱过|初恋|恋爱|情人|心上人|谈过|喜欢过|爱情|相爱|love affair|fall in love",
        "爱情 恋爱 情人 爱慕 婚姻",
        r"恋|爱情|爱上|情人|要好|相爱|倾心|思慕|宠",
        rf"{_IN}{{0,16}}(?:恋|爱上|爱情|情人|要好|相爱|倾心|思慕)",
    ),
    _topic(
        "joy",
        r"开心|快乐|高兴|幸福|happy|happiest",
        "高兴 快乐 欢喜 喜悦",
        r"高兴|快乐|欢喜|喜悦|开心|幸福|大喜",
        rf"{_IN}{{0,14}}(?:高兴|快乐|欢喜|喜悦|开心|幸福|大喜)",
    ),
    _topic(
        "sorrow",
        r"难过|伤心|悲伤|哭|流泪|心碎|\bsad\b|\bcry",
        "伤心 痛哭 悲痛 流泪",
        r"哭|悲|伤心|痛心|流泪|哀",
        rf"{_IN}{{0,16}}(?:哭|悲|伤心|痛心|流泪|哀)",
    ),
    _topic(
        "hardship",
        r"艰难|最难|困难|难关|挫折|低谷|危机|苦日子|痛苦|吃过.{0,3}苦|最苦|倒霉|惨|hardest|difficult",
        "困顿 受困 挫折 艰难 危难 断粮 被贬 失意",
        r"困|绝粮|断粮|挫折|艰|苦|危|贬|流放|失意|围",
        rf"{_IN}{{0,16}}(?:困|绝粮|断粮|挫折|艰难|吃苦|险些|差点|流放|被贬|失意|被围)|(?:困住|围住|围困|拘禁|流放)(?:了)?ME",
    ),
    _topic(
        "places",
        r"(?:喜欢|爱|难忘).{0,6}(?:地方|城市|国家|风景)|去过(?:哪|什么|多少|几)|到过哪|游历|旅行|travel",
        "喜欢 游历 到过 居住 周游",
        r"游|到过|去过|喜欢|周游|住",
        rf"{_IN}{{0,14}}(?:游历|漫游|周游|游览|到过|去过|喜欢住|喜欢[^，。；]{{0,6}}(?:城|地|山|水|京|阳|安))|而?不?喜欢住",
    ),
    _topic(
        "saying",
        r"座右铭|名言|名句|语录|说过(?:什么|哪些)|最有名的话|送.{0,6}(?:一句)?话|忠告|建议|motto|quote|advice",
        "名言 说过 常说 教导",
        r"“",
        rf"{_IN}{{0,12}}(?:说|写道|称)[^，。；“]{{0,4}}[：，]?“",
        r"名言|座右铭",
    ),
)

_KIN_WORDS = {
    "spouse": ("妻子 丈夫 成婚 结婚", re.compile(r"^(?:配偶|妻子?|夫人|丈夫|皇后)$")),
    "children": ("儿子 女儿 子女", re.compile(r"^(?:子女|儿子|女儿|[长次]子|孩子)$")),
    "brother": ("兄长 弟弟 姐妹 兄弟", re.compile(r"^(?:兄长|哥哥|弟弟|姐姐|妹妹|兄弟|姐妹|兄弟姐妹)$")),
    "birth": ("出生 生于", re.compile(r"^(?:出生地点?|籍贯|祖籍)$")),
}
"""Words and keys for questions of the other table, where readers and encyclopedias differ too."""


OPEN = frozenset(topic.kind.name for topic in TOPICS)
"""Names of the topics."""


def topics(line: str) -> list[Topic]:
    """Return the topics a line asks about, in the order of the table."""
    return [topic for topic in TOPICS if topic.kind.asked.search(line)]


def worded(query: str, name: str, infobox: tuple[tuple[str, str], ...], subjects: Sequence[str] = ()) -> str:
    """Return the query with the encyclopedia's words for its topics, and the infobox pairs that tell them.

    ``subjects`` are the names of the query's subjects in the other table (spouse, children, birth).
    """
    wanted = [(topic.words, topic.keys) for topic in topics(query)[:2]]
    wanted += [_KIN_WORDS[subject] for subject in subjects if subject in _KIN_WORDS]
    words = [words for words, _ in wanted]
    for _, keys in wanted:
        pairs = [(key, value) for key, value in infobox if keys is not None and keys.search(key)]
        words.extend(f"{name}的{key}是{value[:24]}" for key, value in pairs[:2])
    return " ".join([query, *words])
